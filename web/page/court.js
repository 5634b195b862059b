// The court: the fields from A's end to B's, the net, and the ball.

import { h, position, s } from 'page/dom.js';
import { t } from 'page/strings.js';

const WIDTH = 700;
const HEIGHT = 190;
const TOP = 26;
const BOTTOM = 150;

// A picture of the court. With `onpick` its fields are a choice of one, by click or arrow keys.
export class Court {
  /** @param {{ field: number, onpick?: ((ball: number) => void) | null, name?: string, small?: boolean }} court */
  constructor({ field, onpick = null, name, small = false }) {
    this.field = field;
    this.onpick = onpick;
    this.step = WIDTH / (2 * field + 3);
    this.ball = s(
      'g',
      { class: 'ball' },
      s('circle', { r: 13 }),
      s('path', { d: 'M-11 -6 Q0 0 -11 7 M11 -7 Q0 0 11 6', class: 'seam' }),
    );
    this.fields = this.#positions().map((ball) => this.#field(ball));
    this.path = s('path', { class: 'flight', 'aria-hidden': 'true' });
    const svg = s(
      'svg',
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        class: small ? 'court small' : 'court',
        ...(onpick ? { role: 'radiogroup', 'aria-label': name } : { role: 'img' }),
      },
      this.#paper(),
      this.fields,
      this.#lines(),
      this.path,
      s('g', { 'aria-hidden': 'true' }, this.ball),
    );
    this.element = svg;
    this.move(0);
  }

  #positions() {
    return Array.from({ length: 2 * this.field + 1 }, (_, index) => index - this.field);
  }

  #x(ball) {
    return WIDTH / 2 + ball * this.step;
  }

  #paper() {
    const out = (ball, side) => {
      const x = this.#x(ball) - this.step / 2;
      return s(
        'g',
        { 'aria-hidden': 'true' },
        s('rect', { x: x + 4, y: TOP, width: this.step - 8, height: BOTTOM - TOP, class: `out ${side}`, rx: 4 }),
        s(
          'text',
          {
            x: this.#x(ball),
            y: (TOP + BOTTOM) / 2,
            class: 'out-label',
            transform: `rotate(-90 ${this.#x(ball)} ${(TOP + BOTTOM) / 2})`,
          },
          t('court.out'),
        ),
      );
    };
    return [out(-this.field - 1, 'of-b'), out(this.field + 1, 'of-a')];
  }

  #field(ball) {
    const side = ball < 0 ? 'side-a' : ball > 0 ? 'side-b' : 'net';
    const group = s(
      'g',
      this.onpick
        ? { role: 'radio', class: `field ${side}`, 'aria-label': t('court.field', { ball: position(ball) }) }
        : { class: `field ${side}`, 'aria-hidden': 'true' },
      s('rect', { x: this.#x(ball) - this.step / 2, y: TOP, width: this.step, height: BOTTOM - TOP }),
      this.step > 26 || ball % 2 === 0 ? s('text', { x: this.#x(ball), y: BOTTOM + 26 }, position(ball)) : null,
    );
    if (this.onpick) {
      group.addEventListener('click', () => this.onpick?.(ball));
      group.addEventListener('keydown', (event) => this.#key(event, ball));
    }
    return group;
  }

  #key(event, ball) {
    const to = {
      ArrowLeft: ball - 1,
      ArrowDown: ball - 1,
      ArrowRight: ball + 1,
      ArrowUp: ball + 1,
      Home: -this.field,
      End: this.field,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const within = Math.min(Math.max(to, -this.field), this.field);
    this.onpick?.(within);
    this.fields[within + this.field].focus();
  }

  #lines() {
    const [left, right] = [this.#x(-this.field) - this.step / 2, this.#x(this.field) + this.step / 2];
    const upright = this.#positions()
      .slice(1)
      .map((ball) => `M${this.#x(ball) - this.step / 2} ${TOP} V${BOTTOM}`);
    return s(
      'g',
      { class: 'pencil', 'aria-hidden': 'true' },
      s('path', { d: `M${left} ${TOP} H${right} V${BOTTOM} H${left} Z`, class: 'edge' }),
      s('path', { d: upright.join(' ') }),
      s('path', { d: `M${WIDTH / 2} ${TOP - 14} V${BOTTOM + 6}`, class: 'net-line' }),
      s('text', { x: left + 8, y: TOP - 8, class: 'name-a' }, t('court.sideA')),
      s('text', { x: right - 8, y: TOP - 8, class: 'name-b' }, t('court.sideB')),
    );
  }

  // Puts the ball on a position, perhaps out of the field.
  move(ball, label = '') {
    this.ball.style.transform = `translate(${this.#x(ball)}px, ${(TOP + BOTTOM) / 2}px)`;
    for (const [index, field] of this.fields.entries()) {
      const here = index - this.field === ball;
      field.classList.toggle('here', here);
      if (this.onpick) {
        field.setAttribute('aria-checked', here);
        field.setAttribute('tabindex', here ? 0 : -1);
      }
    }
    if (!this.onpick) this.element.setAttribute('aria-label', label || t('court.ball', { ball: position(ball) }));
  }

  // Draws the way of the ball from one position to another.
  flight(from, to) {
    const [x, y] = [(ball) => this.#x(ball), (TOP + BOTTOM) / 2];
    this.path.setAttribute('d', `M${x(from)} ${y}Q${(x(from) + x(to)) / 2} ${TOP - 10} ${x(to)} ${y - 16}`);
  }
}

// Both accounts side by side, above the court.
export function accounts(a, b) {
  return h(
    'div',
    { class: 'accounts' },
    h('p', { class: 'of-a' }, h('span', { class: 'player' }, 'A'), h('strong', {}, a), ' ', t('court.points')),
    h('p', { class: 'of-b' }, h('strong', {}, b), ' ', t('court.points'), h('span', { class: 'player' }, 'B')),
  );
}
