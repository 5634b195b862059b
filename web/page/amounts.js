// Amounts in words: a quarter of a point.

import { number } from 'page/dom.js';
import { t } from 'page/strings.js';

// What has a name, in points.
const NAMED = [1 / 20, 1 / 10, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 2];
// Less than this is almost nothing. What is within this share of a name is about it: one who opens with 2 loses about a third, 0.293.
const LITTLE = 0.03;
const NEAR = 1 / 7;
const EXACT = 0.005;

// A positive amount of points: by name, if one is near, else as a number.
export function amount(points) {
  if (points < LITTLE) return t('amount.little');
  const nearest = NAMED.reduce((best, one) => (Math.abs(one - points) < Math.abs(best - points) ? one : best));
  const off = Math.abs(nearest - points);
  if (off > NEAR * nearest) return t('amount.number', { points: number(points, 2) });
  const name = t(`amount.${number(nearest, 2).replace(',', '.')}`);
  return off > EXACT ? t('amount.about', { name }) : name;
}
