// Judge: how far a way to bid is from optimal, and where it loses.

import { risingColour, risingScale } from 'page/colours.js';
import { card, decimal, h, number, percent, position, signed, significant } from 'page/dom.js';
import { game } from 'page/game.js';
import { GridMap, legend } from 'page/gridmap.js';
import { myGames } from 'page/mygames.js';
import { ownRule } from 'page/ownrule.js';
import { policyInput } from 'page/policyfile.js';
import { Cancelled } from 'page/solver.js';
import { parseState, stateOf, stateText } from 'page/state.js';
import { t } from 'page/strings.js';
import { table } from 'page/table.js';

// The judgement outlives the page's being built anew in another language.
/** @type {{ name: string, numbers: Float64Array, report: any, game: Rules }} */
let judged = /** @type {NotYet} */ (null);

export function judge() {
  const result = h('div', { class: 'column' });
  const verdict = h('div', { class: 'column' });
  const status = h('p', { class: 'status', role: 'status' });
  let round = 0;

  const progress = h('progress', { max: 1, value: 0, 'aria-label': t('judge.progress') });
  const cancel = h('button', { type: 'button', onclick: () => game.cancelLong('judge') }, t('cancel'));
  const working = h('div', { class: 'actions', hidden: true }, progress, cancel);
  const show = () => {
    const { name, numbers, report } = judged;
    status.textContent = t('judge.done', { name });
    verdict.replaceChildren(summary(name, report), worst(report));
    result.replaceChildren(regrets(numbers, report));
    document.documentElement.dataset.judged = name;
  };
  const clear = () => {
    judged = /** @type {NotYet} */ (null);
    verdict.replaceChildren();
    result.replaceChildren();
    delete document.documentElement.dataset.judged;
  };

  const run = async (bidder, name) => {
    const mine = ++round;
    clear();
    status.classList.remove('wrong');
    status.textContent = t('judge.judging', { name });
    // The thread that judged before knows nothing of a file that was read since.
    game.cancelLong('judge');
    [working.hidden, progress.value] = [false, 0];
    try {
      const { numbers, ...report } = await game.askLong('judge', { ask: 'judge', bidder }, (share) => (progress.value = share));
      if (mine !== round) return;
      judged = { name, numbers, report, game: game.rules };
      show();
    } catch (error) {
      if (mine !== round) return;
      status.classList.toggle('wrong', !(error instanceof Cancelled));
      status.textContent = error instanceof Cancelled ? t('cancelled') : error.message;
    }
    if (mine === round) working.hidden = true;
  };
  const file = policyInput('judged', (name) => run('judged', name));
  const example = (bidder) =>
    h(
      'button',
      { type: 'button', id: `judge-${bidder}`, onclick: () => run(bidder, t(`judge.${bidder}`)) },
      t(`judge.try.${bidder}`),
    );
  // The bytes of a rule of one's own, as if they came from a file.
  const judgeOwn = async (bytes) => {
    try {
      await game.ask({ ask: 'policy', bidder: 'judged' }, bytes);
      await run('judged', t('own.name'));
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  };
  const playOwn = async (bytes) => {
    if (!(await table.consent())) return;
    await game.ask({ ask: 'policy', bidder: 'opponent' }, bytes);
    game.show('play');
    await table.set({ opponent: 'opponent', file: t('own.name') });
  };
  const own = ownRule({ judge: judgeOwn, play: playOwn });
  const mine = myGames();
  const examples = [example('uniform'), example('optimal')];
  // Judging asks about the solved game: until there is one, a press would be forgotten.
  const open = (yes) => examples.forEach((button) => (button.disabled = !yes));
  open(Boolean(game.summary));
  const element = h(
    'div',
    { class: 'columns two' },
    h(
      'div',
      { class: 'column' },
      card(
        t('judge.title'),
        h('p', {}, t('judge.intro')),
        file.element,
        h('p', { class: 'hint' }, t('judge.examples')),
        h('div', { class: 'actions' }, ...examples),
        status,
        working,
      ),
      own.element,
      mine.element,
    ),
    h('div', { class: 'column' }, verdict, result),
  );
  const look = () => game.section === 'judge' && mine.show();
  const solved = ({ detail }) => {
    open(Boolean(game.rules));
    if (detail.failed) return;
    round++;
    file.forget();
    clear();
    [status.textContent, working.hidden] = ['', true];
    own.build();
    return look();
  };
  const start = () => {
    if (judged && judged.game === game.rules) show();
    return look();
  };
  return { element, listeners: { solving: () => open(false), solved, section: look }, start };
}

function summary(name, report) {
  const proved = report.guaranteed.exploitability?.decimal;
  const pair = ({ a, b }) => [a, b].map((value) => (value === null ? '–' : signed(value, 5)));
  const [whenA, whenB] = pair(report.best_response_value);
  const [asA, asB] = pair(report.value_against_optimum);
  const row = (label, ...values) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, label),
      values.map((value) => h('td', {}, value)),
    );
  return card(
    t('judge.result', { name }),
    report.exploitability === null
      ? h('p', {}, t('judge.oneSided'))
      : [
          h(
            'p',
            { class: 'value' },
            h('output', { id: 'exploitability' }, headline(report, proved)),
            h('span', { class: 'unit' }, t('judge.exploitability')),
          ),
          h('p', { class: 'hint digits' }, t('judge.bounds', { lower: decimal(proved.lower), upper: decimal(proved.upper) })),
        ],
    h(
      'table',
      { class: 'figures', id: 'judged-figures' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td', {}),
          h('th', { scope: 'col' }, t('judge.policyIsA')),
          h('th', { scope: 'col' }, t('judge.policyIsB')),
        ),
      ),
      h(
        'tbody',
        {},
        row(t('judge.againstBest'), whenB, whenA),
        row(t('judge.againstOptimum'), asA, asB),
        row(t('judge.gameValue'), signed(report.value, 5), signed(report.value, 5)),
      ),
    ),
  );
}

// A number that is 0 to six decimals is written so that it lies within its proved bounds.
function headline({ exploitability }, { lower, upper }) {
  if (exploitability >= 1e-6) return number(exploitability, 6);
  return Number(upper) === 0 ? '0' : Number(lower) > 0 ? significant(exploitability) : `≤ ${significant(Number(upper) * 1.005)}`;
}

function worst(report) {
  if (!report.worst.length) return card(t('judge.worst'), h('p', {}, t('judge.noWorst')));
  const heads = ['state', 'player', 'value', 'regret', 'reached', 'contribution'].map((name) =>
    h('th', { scope: 'col' }, t(`judge.${name}`)),
  );
  const open = (state) => {
    game.look(stateOf(state));
    game.show('explore');
  };
  const rows = report.worst.map((habit) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('button', { type: 'button', class: 'link', onclick: () => open(habit.state) }, habit.state)),
      h('td', {}, habit.player),
      h('td', {}, signed(habit.value, 3)),
      h('td', {}, number(habit.regret, 4)),
      h('td', {}, percent(habit.reached)),
      h('td', {}, number(habit.contribution, 4)),
    ),
  );
  const table = h('table', { class: 'worst' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows));
  return card(
    t('judge.worst'),
    h('p', { class: 'hint' }, t('judge.worstHint')),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('judge.worst') }, table),
  );
}

function regrets(numbers, report) {
  const states = numbers.length / 2;
  const finite = numbers.filter((regret) => !Number.isNaN(regret));
  const most = finite.reduce((most, regret) => Math.max(most, regret), 0);
  const players = ['A', 'B'].filter((_, index) => !Number.isNaN(numbers[index * states + game.place(game.start)]));
  const player = h(
    'select',
    { id: 'regret-player' },
    players.map((name) => h('option', { value: name }, t(`play.as.${name}`))),
  );
  const field = game.rules.field;
  const ball = h(
    'select',
    { id: 'regret-ball' },
    Array.from({ length: 2 * field + 1 }, (_, index) =>
      h('option', { value: index - field, selected: index === field }, position(index - field)),
    ),
  );
  const at = (a, b) => numbers[(player.value === 'B' ? states : 0) + game.place({ a, b, ball: Number(ball.value) })];
  const map = new GridMap({
    rows: { from: 0, to: game.rules.points[0], name: t('where.pointsA') },
    columns: { from: 0, to: game.rules.points[1], name: t('where.pointsB') },
    upward: true,
    name: t('judge.map'),
    // A loss of rounding size is no regret.
    colour: (a, b) => (Number.isNaN(at(a, b)) ? null : risingColour(at(a, b) < 1e-9 ? 0 : at(a, b), most)),
    text: (a, b) =>
      t('judge.cell', {
        state: stateText({ a, b, ball: Number(ball.value) }),
        regret: Number.isNaN(at(a, b)) ? '–' : number(at(a, b), 5),
      }),
    onpick: (a, b) => {
      game.look({ a, b, ball: Number(ball.value) });
      game.show('explore');
    },
  });
  const first = parseState(report.worst[0]?.state) ?? game.start;
  if (report.worst[0]) [player.value, ball.value] = [report.worst[0].player, first.ball];
  const repaint = () => map.paint();
  player.addEventListener('change', repaint);
  ball.addEventListener('change', repaint);
  repaint();
  map.moveTo(first.a, first.b);
  return card(
    t('judge.map'),
    h('p', { class: 'hint' }, t('judge.mapHint')),
    h(
      'div',
      { class: 'fields' },
      h('div', {}, h('label', { for: 'regret-player' }, t('judge.player')), player),
      h('div', {}, h('label', { for: 'regret-ball' }, t('judge.ball')), ball),
    ),
    map.element,
    legend(risingScale(), '0', number(most, 3)),
  );
}
