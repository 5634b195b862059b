// A map of cells, one for each pair of numbers: crisp on a canvas, with outlines, a cursor for mouse and keys, and a
// description of the cell under it.

import { inkOn } from 'page/colours.js';
import { h, s } from 'page/dom.js';

/** @typedef {{ from: number, to: number, name: string }} Axis */

export class GridMap {
  // `rows` and `columns` are {from, to, name}; rows rise upward if `upward`. `colour(row, column)` gives [red, green, blue]
  // or null, `text(row, column)` says a cell in words, `group(row, column)` something that is outlined where it changes,
  // `mark(row, column)` one of the classes of a small mark or null; `onmove` hears of the cursor, `onpick` of a click or Enter.
  /**
   * @param {{
   *   rows: Axis,
   *   columns: Axis,
   *   upward?: boolean,
   *   colour: (row: number, column: number) => Colour | null,
   *   text: (row: number, column: number) => string,
   *   group?: ((row: number, column: number) => unknown) | null,
   *   mark?: ((row: number, column: number) => string | null) | null,
   *   onmove?: ((row: number, column: number) => void) | null,
   *   onpick?: ((row: number, column: number) => void) | null,
   *   name: string,
   *   most?: number,
   * }} map
   */
  constructor({
    rows,
    columns,
    upward = false,
    colour,
    text,
    group = null,
    mark = null,
    onmove = null,
    onpick = null,
    name,
    most = 560,
  }) {
    this.rows = rows;
    this.columns = columns;
    this.upward = upward;
    this.colour = colour;
    this.text = text;
    this.group = group;
    this.mark = mark;
    this.onmove = onmove;
    this.onpick = onpick;
    this.height = rows.to - rows.from + 1;
    this.width = columns.to - columns.from + 1;
    /** @type {Pair<number> | null} */
    this.cursor = null;
    this.canvas = h('canvas', { width: this.width, height: this.height, 'aria-hidden': 'true' });
    this.overlay = s('svg', { viewBox: `0 0 ${this.width} ${this.height}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
    this.readout = h('p', { class: 'readout', 'aria-live': 'polite' });
    this.plane = h(
      'div',
      {
        class: 'plane',
        tabindex: 0,
        role: 'application',
        'aria-label': name,
        style: `aspect-ratio: ${this.width} / ${this.height}`,
      },
      this.canvas,
      this.overlay,
    );
    this.plane.addEventListener('pointerdown', (event) => this.#point(event));
    this.plane.addEventListener('pointermove', (event) => event.buttons && this.#point(event));
    this.plane.addEventListener('dblclick', () => this.#pick());
    this.plane.addEventListener('keydown', (event) => this.#key(event));
    this.element = h(
      'div',
      { class: 'gridmap' },
      h(
        'div',
        { class: 'axes', style: `max-width: ${most}px` },
        this.#axis('rows', rows, upward),
        this.plane,
        h('span'),
        this.#axis('columns', columns, false),
      ),
      this.readout,
    );
    this.paint();
  }

  #axis(side, { from, to, name }, upward) {
    const count = to - from;
    const step = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((step) => count / step <= 6) ?? count;
    const ticks = [];
    for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
      const share = (100 * (tick - from + 0.5)) / (count + 1);
      const place = side === 'rows' ? `top: ${upward ? 100 - share : share}%` : `left: ${share}%`;
      ticks.push(h('span', { style: place }, tick));
    }
    return h('div', { class: `axis ${side}`, 'aria-hidden': 'true' }, h('span', { class: 'name' }, name), ticks);
  }

  // The canvas' line of a row.
  #y(row) {
    return this.upward ? this.rows.to - row : row - this.rows.from;
  }

  // Paints all cells and outlines anew.
  paint() {
    const context = this.canvas.getContext('2d');
    const image = context.createImageData(this.width, this.height);
    const marks = [];
    for (let row = this.rows.from; row <= this.rows.to; row++) {
      for (let column = this.columns.from; column <= this.columns.to; column++) {
        const colour = this.colour(row, column);
        const [x, y] = [column - this.columns.from, this.#y(row)];
        if (colour) image.data.set([...colour, 255], 4 * (y * this.width + x));
        const mark = this.mark?.(row, column);
        if (mark)
          marks.push(
            s('circle', {
              cx: x + 0.5,
              cy: y + 0.5,
              r: mark === 'best-b' ? 0.3 : 0.2,
              class: mark,
              style: `--mark: ${inkOn(colour)}`,
            }),
          );
      }
    }
    context.putImageData(image, 0, 0);
    this.outline = s('path', { class: 'outline', d: this.#outlines() });
    this.frame = s('rect', { class: 'cursor', width: 1, height: 1 });
    this.overlay.replaceChildren(...marks, this.outline, this.frame);
    this.#show();
  }

  #outlines() {
    const { group } = this;
    if (!group) return '';
    const lines = [];
    for (let row = this.rows.from; row <= this.rows.to; row++) {
      for (let column = this.columns.from; column <= this.columns.to; column++) {
        const [x, y, own] = [column - this.columns.from, this.#y(row), group(row, column)];
        const up = this.upward ? row + 1 : row - 1;
        if (column > this.columns.from && group(row, column - 1) !== own) lines.push(`M${x} ${y}v1`);
        if (y > 0 && group(up, column) !== own) lines.push(`M${x} ${y}h1`);
      }
    }
    return lines.join('');
  }

  // Puts the cursor on a cell without telling anybody.
  moveTo(row, column) {
    this.cursor = [row, column];
    this.#show();
  }

  #show() {
    this.frame.style.display = this.cursor ? '' : 'none';
    if (!this.cursor) return;
    const [row, column] = this.cursor;
    this.frame.setAttribute('x', column - this.columns.from);
    this.frame.setAttribute('y', this.#y(row));
    this.readout.textContent = this.text(row, column);
  }

  #go(row, column) {
    const within = ({ from, to }, place) => Math.min(Math.max(place, from), to);
    const [to_row, to_column] = [within(this.rows, row), within(this.columns, column)];
    if (this.cursor?.[0] === to_row && this.cursor[1] === to_column) return;
    this.moveTo(to_row, to_column);
    this.onmove?.(to_row, to_column);
  }

  #pick() {
    if (this.cursor) this.onpick?.(...this.cursor);
  }

  #point(event) {
    const box = this.plane.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * this.width);
    const y = Math.floor(((event.clientY - box.top) / box.height) * this.height);
    this.#go(this.upward ? this.rows.to - y : this.rows.from + y, this.columns.from + x);
  }

  #key(event) {
    if (event.key === 'Enter') return this.#pick();
    const by = event.shiftKey ? 5 : 1;
    const up = this.upward ? by : -by;
    const step = { ArrowUp: [up, 0], ArrowDown: [-up, 0], ArrowLeft: [0, -by], ArrowRight: [0, by] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [row, column] = this.cursor ?? [this.rows.from, this.columns.from];
    this.#go(row + step[0], column + step[1]);
  }
}

// A scale of colours with its ends in words.
export function legend(scale, ...words) {
  return h(
    'div',
    { class: 'legend', 'aria-hidden': 'true' },
    h('span', { class: 'scale', style: `background: linear-gradient(to right, ${scale.join(', ')})` }),
    h(
      'span',
      { class: 'words' },
      words.map((word) => h('span', {}, word)),
    ),
  );
}
