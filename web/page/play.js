// Play: games against the optimum, a uniform player, or a policy from a file, with bids that are fixed before the other is made.

import { BidChart } from 'page/bidchart.js';
import { accounts, Court } from 'page/court.js';
import { card, download, h, number, randomHex, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { policyInput } from 'page/policyfile.js';
import { replayCard } from 'page/replay.js';
import { Cancelled } from 'page/solver.js';
import { parseState, sameGame, stateText } from 'page/state.js';
import { t } from 'page/strings.js';

const OUTCOMES = ['outByA', 'liesWithB', 'draw', 'liesWithA', 'outByB'];

// A bid that costs less is as good as free: it is not worth a word.
const FREE = 5e-4;

export function play() {
  let you = 'A';
  let opponent = 'optimal';
  const score = { you: 0, opponent: 0, games: 0 };
  // The game that is played: pairs of bids, what the solver says of them, the opponent's fixed bid, and all fixed bids so far.
  let bids = [];
  let played = null;
  let fixed = null;
  let commitments = [];
  let round = 0;

  const table = h('div', { class: 'table-top' });
  const log = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('play.log') });
  const secrets = h('ol', { class: 'secrets' });
  const scoreboard = h('p', { class: 'score', id: 'score' });
  const setup = setupCard();
  const replay = replayCard();
  const record = recordCard();
  const element = h(
    'div',
    { class: 'columns two' },
    h(
      'div',
      { class: 'column' },
      setup.element,
      h('section', { class: 'card' }, h('h2', {}, t('play.title')), scoreboard, table),
    ),
    h(
      'div',
      { class: 'column' },
      h('section', { class: 'card' }, h('h2', {}, t('play.log')), log, fairness()),
      replay.element,
      record.element,
    ),
  );
  let court = null;

  const other = () => (you === 'A' ? 'B' : 'A');
  // What a payoff or value to A is to the person.
  const toYou = (value) => (you === 'A' ? value : -value);
  const own = (pair) => pair[you === 'A' ? 0 : 1];
  const theirs = (pair) => pair[you === 'A' ? 1 : 0];

  const begin = async () => {
    if (!game.rules) return;
    const mine = ++round;
    [bids, commitments, fixed] = [[], [], null];
    court = new Court({ field: game.rules.field });
    replay.clear();
    await guard(async () => {
      played = await game.ask({ ask: 'replay', start: stateText(setup.start()), bids });
      if (mine === round) await next(mine);
    });
  };

  // Fixes the opponent's bid and asks for the person's, or ends the game.
  const next = async (mine) => {
    if (played.outcome !== null) return end();
    const turn = bids.length + 1;
    const { bid } = await game.ask({ ask: 'draw', state: played.state, player: other(), bidder: opponent, bits: randomHex(8) });
    const text = `turn ${turn}: ${other()} bids ${bid}, ${randomHex(16)}`;
    const { sha256 } = await game.ask({ ask: 'sha256', text });
    if (mine !== round) return;
    fixed = { bid, text, sha256 };
    show();
  };

  const submit = async (bid) => {
    if (!fixed) return;
    const mine = round;
    const reveal = fixed;
    fixed = null;
    commitments.push(reveal);
    bids.push(you === 'A' ? [bid, reveal.bid] : [reveal.bid, bid]);
    await guard(async () => {
      played = await game.ask({ ask: 'replay', start: played.start, bids });
      if (mine === round) await next(mine);
    });
  };

  const guard = async (action) => {
    try {
      await action();
    } catch (error) {
      if (error instanceof Cancelled) return;
      table.replaceChildren(h('p', { class: 'wrong', role: 'alert' }, error.message));
    }
  };

  const sentence = () => {
    const last = played.turns.at(-1);
    if (!last) return t('play.first');
    const cost = own(last.cost);
    const price = cost < FREE ? t('play.free') : t('play.cost', { cost: number(cost, 2) });
    return `${t('play.revealed', { own: own(last.bids), theirs: theirs(last.bids), other: other() })} ${price}`;
  };

  const show = () => {
    const state = parseState(played.state);
    court.move(state.ball);
    const points = own([state.a, state.b]);
    const lowest = Math.min(points, 1);
    const input = h('input', {
      type: 'number',
      id: 'bid',
      min: lowest,
      max: points,
      value: lowest,
      required: true,
      inputmode: 'numeric',
    });
    const range = h('input', {
      type: 'range',
      min: lowest,
      max: points,
      value: lowest,
      'aria-label': t('play.bidRange'),
      disabled: points <= 1,
    });
    range.addEventListener('input', () => (input.value = range.value));
    input.addEventListener('input', () => (range.value = input.value));
    const form = h(
      'form',
      { class: 'bid-form' },
      h('label', { for: 'bid' }, t('play.yourBid', { lowest, points })),
      h(
        'div',
        { class: 'actions' },
        input,
        range,
        h('button', { type: 'submit', class: 'primary', id: 'submit-bid' }, t('play.bid')),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit(Number(input.value));
    });
    const hint = h('details', { class: 'hint-box' }, h('summary', {}, t('play.hint')));
    hint.addEventListener('toggle', () => hint.open && showHint(hint), { once: true });
    table.replaceChildren(
      accounts(state.a, state.b),
      court.element,
      h('p', { class: 'revealed', role: 'status' }, sentence()),
      h('p', { class: 'expectation' }, t('play.expectation', { value: signed(toYou(played.value), 3), you })),
      h(
        'p',
        { class: 'commitment' },
        t('play.committed', { other: other() }),
        ' ',
        h('code', { title: fixed.sha256 }, fixed.sha256),
      ),
      form,
      hint,
    );
    showLog();
    if (bids.length) input.focus();
  };

  const showHint = async (hint) => {
    const stage = await game.ask({ ask: 'state', state: played.state });
    const player = you.toLowerCase();
    const chart = new BidChart(player);
    hint.append(chart.element);
    const probabilities = new Map(stage[player].map((bid) => [bid.bid, bid.probability]));
    chart.show({ worth: stage.worth[player], probabilities });
  };

  const end = () => {
    const state = parseState(played.state);
    court.move(state.ball);
    const won = toYou(played.payoff);
    if (won > 0) score.you += won;
    else score.opponent -= won;
    score.games++;
    const verdict =
      won > 0 ? t('play.won', { points: number(won) }) : won < 0 ? t('play.lost', { points: number(-won) }) : t('play.drawn');
    const again = h('button', { type: 'button', class: 'primary', id: 'again', onclick: begin }, t('play.again'));
    const exchange = h('button', { type: 'button', onclick: () => (setup.exchange(), begin()) }, t('play.exchange'));
    table.replaceChildren(
      accounts(state.a, state.b),
      court.element,
      h('p', { class: 'revealed', role: 'status' }, sentence()),
      h('p', { class: 'verdict', id: 'verdict' }, `${t(`ends.${OUTCOMES[played.outcome]}`)}. ${verdict}`),
      h('div', { class: 'actions' }, again, exchange),
    );
    showLog();
    showScore();
    replay.show(played, you);
    record.fill(recordText());
    again.focus();
  };

  const showScore = () => {
    scoreboard.textContent = t('play.score', { you: number(score.you), opponent: number(score.opponent), games: score.games });
  };

  const showLog = () => {
    secrets.replaceChildren();
    if (!played?.turns.length) return log.replaceChildren(h('p', { class: 'hint' }, t('play.noTurns')));
    const heads = ['turn', 'you', 'them', 'after', 'yourCost', 'theirCost'].map((name) =>
      h('th', { scope: 'col' }, t(`play.${name}`)),
    );
    const rows = played.turns.map((turn, index) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, index + 1),
        h('td', {}, own(turn.bids)),
        h('td', {}, theirs(turn.bids)),
        h('td', {}, turn.after),
        h('td', {}, number(own(turn.cost), 3)),
        h('td', {}, number(theirs(turn.cost), 3)),
      ),
    );
    secrets.replaceChildren(...commitments.map(({ text, sha256 }) => h('li', {}, h('code', {}, text), h('code', {}, sha256))));
    log.replaceChildren(h('table', { class: 'log' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)));
  };

  // The game as the command line reads it, with all fixed bids as comments.
  const recordText = () => {
    const name = opponent === 'opponent' ? setup.file() : opponent;
    const [rules, ...lines] = played.table.split('\n');
    const fixedBids = commitments.map(({ text, sha256 }) => `# ${sha256} ${text}`);
    return [rules, `# A: ${you === 'A' ? 'a person' : name}, B: ${you === 'B' ? 'a person' : name}`, ...fixedBids, ...lines].join(
      '\n',
    );
  };

  function setupCard() {
    const against = h(
      'select',
      { id: 'opponent' },
      ['optimal', 'uniform', 'opponent'].map((name) => h('option', { value: name }, t(`play.against.${name}`))),
    );
    const side = h(
      'select',
      { id: 'side' },
      ['A', 'B'].map((name) => h('option', { value: name }, t(`play.as.${name}`))),
    );
    const from = h(
      'select',
      { id: 'from' },
      ['start', 'looked'].map((name) => h('option', { value: name }, t(`play.from.${name}`))),
    );
    const file = policyInput('opponent', () => begin());
    file.element.hidden = true;
    against.addEventListener('change', () => {
      opponent = against.value;
      file.element.hidden = opponent !== 'opponent';
      if (opponent !== 'opponent' || file.loaded()) begin();
      else (round++, table.replaceChildren(h('p', { class: 'hint' }, t('play.needFile'))));
    });
    side.addEventListener('change', () => ((you = side.value), begin()));
    from.addEventListener('change', () => begin());
    const select = (input, label) => h('div', {}, h('label', { for: input.id }, label), input);
    const element = h(
      'section',
      { class: 'card' },
      h('h2', {}, t('play.setup')),
      h(
        'div',
        { class: 'fields' },
        select(against, t('play.againstLabel')),
        select(side, t('play.asLabel')),
        select(from, t('play.fromLabel')),
      ),
      file.element,
    );
    return {
      element,
      start: () => (from.value === 'looked' ? game.state : game.start),
      exchange: () => {
        you = other();
        side.value = you;
      },
      file: () => file.loaded(),
      reset: () => file.forget(),
    };
  }

  function recordCard() {
    const text = h('textarea', { id: 'record', rows: 8, spellcheck: 'false' });
    const status = h('p', { class: 'status', role: 'status' });
    const save = h('button', { type: 'button', onclick: () => download('tennis.txt', text.value) }, t('record.save'));
    const copy = h('button', { type: 'button', onclick: () => navigator.clipboard?.writeText(text.value) }, t('record.copy'));
    const read = h('button', { type: 'button', id: 'read-record', onclick: () => readRecord() }, t('record.read'));
    const open = h('input', { type: 'file', id: 'record-file', accept: '.txt,text/plain' });
    open.addEventListener('change', async () => {
      text.value = (await open.files[0]?.text()) ?? '';
      open.value = '';
      readRecord();
    });
    const readRecord = async () => {
      try {
        const written = await game.ask({ ask: 'read', text: text.value });
        const rules = { points: written.points.map((points) => Math.max(points, 1)), ...written.rules };
        const fits =
          sameGame({ ...game.rules, points: rules.points }, rules) &&
          written.points.every((points, index) => points <= game.rules.points[index]);
        if (!fits && !(await game.solve(rules, parseState(written.start)))) return;
        const found = await game.ask({ ask: 'replay', start: written.start, bids: written.bids });
        replay.show(found, you);
        status.classList.remove('wrong');
        status.textContent = t('record.done', { turns: found.turns.length });
      } catch (error) {
        if (error instanceof Cancelled) return;
        status.classList.add('wrong');
        status.textContent = error.message;
      }
    };
    const element = card(
      t('record.title'),
      h('p', { class: 'hint' }, t('record.hint')),
      h('label', { for: 'record' }, t('record.label')),
      text,
      h('div', { class: 'actions' }, save, copy, read),
      h('div', {}, h('label', { for: 'record-file' }, t('record.open')), ' ', open),
      status,
    );
    return { element, fill: (filled) => ((text.value = filled), (status.textContent = '')) };
  }

  function fairness() {
    return h(
      'details',
      {},
      h('summary', {}, t('fair.title')),
      h('p', {}, t('fair.how')),
      h('pre', {}, "printf '%s' 'turn 1: B bids 7, 0f3a…' | sha256sum"),
      h('p', {}, t('fair.why')),
      h('p', {}, t('fair.list')),
      secrets,
    );
  }

  showScore();
  return {
    element,
    listeners: {
      solved: ({ detail }) => {
        if (detail.error || !game.rules) return;
        round++;
        played = null;
        setup.reset();
        if (game.section === 'play') begin();
      },
      section: () => game.section === 'play' && !played && begin(),
    },
    start: () => game.section === 'play' && begin(),
  };
}
