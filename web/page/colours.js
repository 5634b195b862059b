// Colours of values: blue is good for A, orange for B, both readable with any kind of colour vision.
// The light scale joins two sides of ColorBrewer's diverging RdBu and PuOr (C. Brewer, Apache 2.0).

const LIGHT = ['#8c3f00', '#c96a12', '#efa550', '#fbd9ab', '#f6f5f0', '#cfe1ef', '#86b9da', '#3a86bd', '#0d4a86'];
const DARK = ['#f08a3c', '#c26a2a', '#8d4e22', '#55351f', '#20262e', '#1f3d5e', '#27619b', '#3d83cb', '#63aaf5'];
// From nothing to much, for numbers that are never negative.
const LIGHT_RISING = ['#f6f5f0', '#e7d5ea', '#c6a3d3', '#9a68b4', '#6b2f8a', '#3d0f57'];
const DARK_RISING = ['#252b33', '#45315a', '#6f4691', '#a06ac0', '#cf9fe6', '#f3dcff'];

// Large maps ask for the colours of tens of thousands of cells: their common part is computed once.
const channels = (hex) => [1, 3, 5].map((place) => parseInt(hex.slice(place, place + 2), 16));
const CHANNELS = new Map([LIGHT, DARK, LIGHT_RISING, DARK_RISING].map((scale) => [scale, scale.map(channels)]));
const darkness = matchMedia('(prefers-color-scheme: dark)');

function along(scale, share) {
  const place = Math.min(Math.max(share, 0), 1) * (scale.length - 1);
  const left = Math.min(Math.floor(place), scale.length - 2);
  const [from, to] = (CHANNELS.get(scale) ?? []).slice(left, left + 2);
  return from.map((channel, index) => Math.round(channel + (to[index] - channel) * (place - left)));
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : darkness.matches;
}

// The colour of a value between −most and most, as [red, green, blue].
export function valueColour(value, most) {
  return along(isDark() ? DARK : LIGHT, 0.5 + value / (2 * (most || 1)));
}

// The colour of a number between 0 and most.
export function risingColour(value, most) {
  return along(isDark() ? DARK_RISING : LIGHT_RISING, value / (most || 1));
}

/** @param {Colour} colour */
export function css([red, green, blue]) {
  return `rgb(${red} ${green} ${blue})`;
}

// Black or white, whichever is easier to read on a colour (WCAG's relative luminance).
export function inkOn(colour) {
  const [red, green, blue] = colour.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff';
}

// The steps of the scale of values, for a legend.
export function valueScale() {
  return isDark() ? DARK : LIGHT;
}

export function risingScale() {
  return isDark() ? DARK_RISING : LIGHT_RISING;
}
