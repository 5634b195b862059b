// Elements, and numbers as text.

import { language, t } from 'page/strings.js';

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

// An HTML element; attributes that begin with `on` are listeners.
export function h(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// An SVG element.
export function s(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

// A part of the page with a heading.
export const card = (title, ...content) => h('section', { class: 'card' }, h('h2', {}, title), ...content);

// A file input as a button in the page's language: the browser's own button speaks the browser's.
export function fileButton(input, text = t('choose')) {
  input.classList.add('hidden');
  return h('label', { class: 'file', for: input.id }, text, input);
}

// Marks a part of the page as outdated while it is computed again.
export function busy(element, yes) {
  element.setAttribute('aria-busy', yes);
  element.dataset.busy = t('computing');
}

// To make one takes a browser longer than to write a hundred numbers with it.
/** @type {Record<string, Intl.NumberFormat>} */
const formats = {};

// A number with this many decimals at most, as the language writes it.
export function number(value, decimals = 4) {
  const rounded = Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value;
  const format = (formats[language() + decimals] ??= new Intl.NumberFormat(language(), { maximumFractionDigits: decimals }));
  return format.format(rounded).replace('-', '−');
}

// As above, with a sign in front of positive numbers, for values.
export function signed(value, decimals = 4) {
  const text = number(value, decimals);
  return value > 0 && text !== '0' ? `+${text}` : text;
}

// As above, with this many significant digits, and a power of ten for tiny numbers.
export function significant(value, digits = 6) {
  return value === 0 || Math.abs(value) >= 1e-4 ? number(value, digits) : power(value.toExponential(2));
}

// A number such as 7.9e-18 as people write it.
export function power(text) {
  const [mantissa, exponent] = text.split('e');
  if (exponent === undefined) return decimal(text);
  return `${decimal(mantissa)}·10${[...exponent.replace('+', '')].map((digit) => SUPERSCRIPT[digit]).join('')}`;
}

const SUPERSCRIPT = Object.fromEntries([...'-0123456789'].map((digit, place) => [digit, [...'⁻⁰¹²³⁴⁵⁶⁷⁸⁹'][place]]));

// A number of something, in words: `key` has a text for one and a text for any other number.
export function counted(key, count) {
  const form = new Intl.PluralRules(language()).select(count) === 'one' ? 'one' : 'other';
  return t(`count.${key}.${form}`, { count: number(count) });
}

// A probability in per cent; nothing positive is printed as 0.
export function percent(probability) {
  if (probability === 0) return '0 %';
  const share = 100 * probability;
  if (share < 0.01) return `< ${number(0.01)} %`;
  return `${number(share, share < 10 ? 2 : 1)} %`;
}

// Puts the likelier one of two actions first, and of equally likely ones that which loses less.
export const likelier = (one, other) => other.probability - one.probability || one.loss - other.loss;

// A decimal that was rounded by the solver, digits untouched, as the language writes it.
export function decimal(text) {
  const own = text.replaceAll('-', '−');
  return language() === 'de' ? own.replace('.', ',') : own;
}

// A fraction with a true minus.
export function fraction(text) {
  return text.replace('-', '−');
}

// The ball's position with its sign.
export function position(ball) {
  return ball > 0 ? `+${ball}` : String(ball).replace('-', '−');
}

// Offers a text as a file.
export const download = (name, text) => save(name, new Blob([text], { type: 'text/plain' }));

// Offers bytes as a file.
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// A random number from 0 to 1, without 1.
export const random = () => crypto.getRandomValues(new Uint32Array(1))[0] / 2 ** 32;

// Random bytes as hexadecimal digits.
export function randomHex(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
