// The picture of a result, to be saved: the sentence, a symbol for each turn, and the court at the end.

import { save } from 'page/dom.js';
import { judgedBids, SHAPES } from 'page/share.js';
import { stateOf } from 'page/state.js';
import { t } from 'page/strings.js';

const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 70];
const COLOURS = { paper: '#fffefa', ink: '#1d2530', a: '#dce9f5', b: '#fbe6d2', net: '#fffefa', ball: '#c9d93a' };
const OF = { good: '#3f9b45', fair: '#f2c530', costly: '#d33a2c' };

function lines(context, text) {
  const rows = [''];
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1)} ${word}`.trim();
    if (context.measureText(longer).width <= WIDTH - 2 * MARGIN) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

function drawSymbols(context, bids, top) {
  const side = Math.min(56, (WIDTH - 2 * MARGIN) / bids.length);
  for (const [place, kind] of bids.entries()) {
    context.save();
    context.translate(MARGIN + place * side, top);
    context.scale(side / 20, side / 20);
    context.fillStyle = OF[kind];
    context.strokeStyle = COLOURS.ink;
    context.lineWidth = 1;
    const shape = new Path2D(SHAPES[kind]);
    context.fill(shape);
    context.stroke(shape);
    context.restore();
  }
}

function drawCourt(context, field, ball, top) {
  const side = (WIDTH - 2 * MARGIN) / (2 * field + 3);
  const x = (place) => WIDTH / 2 + (place - 0.5) * side;
  for (let place = -field; place <= field; place++) {
    context.fillStyle = place < 0 ? COLOURS.a : place > 0 ? COLOURS.b : COLOURS.net;
    context.fillRect(x(place), top, side, 170);
    context.strokeRect(x(place), top, side, 170);
  }
  context.fillStyle = COLOURS.ball;
  context.beginPath();
  context.arc(x(ball) + side / 2, top + 85, 24, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

// Saves the picture of a played game under a sentence about it.
export function savePicture({ said, played, you, rules }) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.fillStyle = COLOURS.paper;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  Object.assign(context, { fillStyle: COLOURS.ink, strokeStyle: COLOURS.ink, lineWidth: 2.5, textBaseline: 'top' });
  context.font = '700 46px Georgia, serif';
  for (const [row, text] of lines(context, said).slice(0, 3).entries()) context.fillText(text, MARGIN, 56 + 58 * row);
  drawSymbols(context, judgedBids(played, you, rules.min_bid), 250);
  drawCourt(context, rules.field, stateOf(played.state).ball, 345);
  context.fillStyle = COLOURS.ink;
  context.font = '28px Georgia, serif';
  context.fillText(`${t('title')}: ${t('share.beat')} ${document.documentElement.dataset.address ?? ''}`, MARGIN, 555);
  canvas.toBlob((blob) => save('tennis.png', blob));
}
