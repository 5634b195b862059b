// The written game: to be saved, copied, and read again, from here or elsewhere.

import { card, counted, download, fileButton, h } from 'page/dom.js';
import { game } from 'page/game.js';
import { copyText, fragmentIn } from 'page/share.js';
import { Cancelled } from 'page/solver.js';
import { stateOf, sameGame } from 'page/state.js';
import { t } from 'page/strings.js';
import { table } from 'page/table.js';

// The text outlives the page's being built anew.
let written = '';

// The game at the table as the command line reads it, with all fixed bids as comments in front.
export function tableText() {
  const { played, opponent, you } = table;
  const name = opponent === 'opponent' ? table.file : opponent;
  const [rules, ...lines] = played.table.split('\n');
  const more = table.commitments.map(({ text, sha256 }) => `# ${sha256} ${text}`);
  const [a, b] = ['A', 'B'].map((player) => (table.persons || you === player ? 'a person' : name));
  const end = table.stands ? ['# decided where the ball lies', ''] : [];
  return [rules, `# A: ${a}, B: ${b}`, ...more, ...lines, ...end].join('\n');
}

export function recordCard(replay) {
  const text = h('textarea', { id: 'record', rows: 8, spellcheck: 'false' });
  text.value = written;
  text.addEventListener('input', () => (written = text.value));
  const status = h('p', { class: 'status', role: 'status' });
  const say = (words, wrong = false) => {
    status.classList.toggle('wrong', wrong);
    status.textContent = words;
  };
  const save = h('button', { type: 'button', onclick: () => download('tennis.txt', text.value) }, t('record.save'));
  const copy = h('button', { type: 'button', id: 'copy-record' }, t('record.copy'));
  copy.addEventListener('click', async () => say((await copyText(text.value)) ? t('copied') : t('share.not')));
  const read = h('button', { type: 'button', id: 'read-record', onclick: () => readRecord() }, t('record.read'));
  const open = h('input', { type: 'file', id: 'record-file', accept: '.txt,text/plain' });
  open.addEventListener('change', async () => {
    written = text.value = (await open.files[0]?.text()) ?? '';
    open.value = '';
    readRecord();
  });
  const readRecord = async () => {
    try {
      const found = await game.ask({ ask: 'read', text: text.value });
      const rules = { points: found.points.map((points) => Math.max(points, 1)), ...found.rules };
      const fits =
        sameGame({ ...game.rules, points: rules.points }, rules) &&
        found.points.every((points, index) => points <= game.rules.points[index]);
      if (!fits && !(await game.solve(rules, stateOf(found.start)))) return;
      const played = await game.ask({ ask: 'replay', start: found.start, bids: found.bids });
      replay.show(played, table.you);
      replay.element.scrollIntoView({ block: 'nearest' });
      say(t('record.done', { turns: counted('turns', played.turns.length) }));
    } catch (error) {
      if (error instanceof Cancelled) return;
      say(error.message, true);
    }
  };
  const element = card(
    t('record.title'),
    h('p', { class: 'hint' }, t('record.hint')),
    h('label', { for: 'record' }, t('record.label')),
    text,
    h('div', { class: 'actions' }, save, copy, read, fileButton(open, t('record.open'))),
    status,
  );
  // A game that is pasted anywhere but into a field is read, too.
  const paste = (event) => {
    const pasted = event.clipboardData?.getData('text') ?? '';
    if (/^(INPUT|TEXTAREA)$/.test(event.target.tagName)) return;
    const fragment = fragmentIn(pasted);
    if (!fragment && !/^0 \d+ \d+ \S+\s*$/m.test(pasted)) return;
    event.preventDefault();
    if (fragment) return (location.hash = fragment);
    written = text.value = pasted;
    game.show('play');
    readRecord();
  };
  const fill = () => {
    written = text.value = tableText();
    say('');
  };
  return { element, fill, paste };
}
