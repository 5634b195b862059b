// Data that the browser stores for this page on this device; where it does not allow storage, for this visit alone.

const PREFIX = 'pencil-tennis.';
// The texts, or null, that could not be stored.
const unstored = new Map();

export function keep(name, value) {
  const text = value === null ? null : JSON.stringify(value);
  try {
    if (text === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
    unstored.delete(name);
  } catch {
    unstored.set(name, text);
  }
}

export function kept(name) {
  try {
    return JSON.parse(unstored.has(name) ? unstored.get(name) : localStorage.getItem(PREFIX + name));
  } catch {
    return null;
  }
}
