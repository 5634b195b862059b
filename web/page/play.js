// Play: games against a player of the solver's or another person, with bids that are fixed before the other is made.

import { BidChart } from 'page/bidchart.js';
import { bidForm } from 'page/bidform.js';
import { accounts, Court } from 'page/court.js';
import { counted, h, number, percent, position, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { savePicture } from 'page/picture.js';
import { ladderForm, levelName, opponentName, setupCard } from 'page/players.js';
import { recordCard } from 'page/record.js';
import { replayCard } from 'page/replay.js';
import { describe } from 'page/rules.js';
import { Cancelled } from 'page/solver.js';
import { gameFragment, invitation, resultFragment, shareButton, symbolRow, symbolText } from 'page/share.js';
import { notice } from 'page/notice.js';
import { sameGame, stateOf, stateText, TENNIS } from 'page/state.js';
import { kept } from 'page/store.js';
import { t } from 'page/strings.js';
import { LADDER, table } from 'page/table.js';

export const OUTCOMES = ['outByA', 'liesWithB', 'draw', 'liesWithA', 'outByB'];

// A bid that costs less is as good as free: it is not worth a word.
const FREE = 5e-4;

// Where a field for a number would open a keyboard on the screen, it is not focused unasked.
const hasKeyboard = () => matchMedia('(hover: hover) and (pointer: fine)').matches;

/** @type {AbortController | null} */
let listener = null;

export function play() {
  const board = h('div', { class: 'table-top' });
  const log = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('play.log') });
  const secrets = h('ol', { class: 'secrets' });
  const scoreboard = h('p', { class: 'score', id: 'score' });
  const setup = setupCard();
  const result = h('section', { class: 'card', id: 'result', hidden: true });
  const replay = replayCard();
  const record = recordCard(replay);
  // While another game is solved, nobody bids in the one before.
  const share = h('progress', { max: 1, value: 0, 'aria-label': t('rules.progress') });
  const stop = h('button', { type: 'button', onclick: () => game.cancel() }, t('cancel'));
  const solving = h('div', { class: 'actions solving', id: 'play-solving' }, h('span', {}, t('rules.solving')), share, stop);
  const cover = (yes) => ([solving.hidden, board.inert, share.value] = [!yes, yes, 0]);
  cover(game.solving);
  // Whether the keyboard's focus belongs to the next question.
  let entering = false;
  const element = h(
    'div',
    { class: 'columns two' },
    h(
      'div',
      { class: 'column' },
      result,
      h('section', { class: 'card' }, h('h2', { class: 'hidden' }, t('play.title')), scoreboard, solving, board),
      setup.element,
    ),
    h(
      'div',
      { class: 'column' },
      replay.element,
      h('section', { class: 'card' }, h('h2', {}, t('play.log')), log, fairness(secrets)),
      record.element,
    ),
  );
  /** @type {Court} */
  let court = /** @type {NotYet} */ (null);

  // The bids of the first game are explained unasked, the last one when the game is over.
  const learns = () => {
    const games = (kept('games') ?? []).length - (table.played.outcome === null ? 0 : 1);
    return !table.persons && !table.blind && games <= 0;
  };

  // The last turn in which somebody was asked.
  const lastAsked = () => table.played.turns.at(-1 - table.unasked) ?? table.played.turns.at(-1);

  const sentence = () => {
    const { own, theirs, other, you } = table;
    const last = lastAsked();
    if (!last) return t(table.blind ? 'play.firstBlind' : 'play.first') + (learns() ? ` ${t('play.firstCost')}` : '');
    const stood = table.stood ? ` ${t('play.stood')}` : '';
    const unasked = table.unasked ? ` ${t('play.unasked', { turns: counted('turns', table.unasked) })}` : '';
    if (table.persons) return t('play.both', { a: last.bids[0], b: last.bids[1] }) + stood + unasked;
    const cost = own(last.cost);
    const price = cost === null ? '' : cost < FREE ? t('play.free') : t('play.cost', { cost: number(cost, 2) });
    if (table.hides) {
      const ball = position(stateOf(last.after).ball);
      return `${t('play.revealedBall', { own: own(last.bids), ball })} ${price}${unasked}`;
    }
    return `${t('play.revealed', { own: own(last.bids), theirs: theirs(last.bids), other, you })}${stood} ${price}${unasked}`;
  };

  // The reason why the last bid cost something: how often it hits the ball against a perfect opponent, beside bids that are free.
  const why = () => {
    const last = table.persons || table.blind ? null : lastAsked();
    if (!last || table.own(last.cost) < FREE) return '';
    const words = h('p', { class: 'hint' });
    const box = h('details', { class: 'why', open: learns() }, h('summary', {}, t('why.title')), words);
    const fill = async () => {
      try {
        const stage = await game.ask({ ask: 'state', state: last.state });
        words.textContent = `${reason(stage, last)} ${t('why.cost')}`;
      } catch (error) {
        if (!(error instanceof Cancelled)) throw error;
      }
    };
    if (box.open) fill();
    else box.addEventListener('toggle', fill, { once: true });
    return box;
  };
  const reason = (stage, turn) => {
    const bid = table.own(turn.bids);
    const hits = (own) =>
      percent(stage[table.other.toLowerCase()].reduce((sum, other) => sum + (other.bid < own ? other.probability : 0), 0));
    const free = stage.worth[table.you.toLowerCase()].filter(({ loss }) => loss < FREE).map((entry) => entry.bid);
    const below = free.filter((one) => one < bid).at(-1);
    const above = free.find((one) => one > bid);
    const names = { bid, hits: hits(bid), below, above };
    const less = below && t('why.less', { ...names, belowHits: hits(below), saved: counted('points', bid - below) });
    const more = above && t('why.more', { ...names, aboveHits: hits(above) });
    return [t('why.bid', names), less, more].filter(Boolean).join(' ');
  };

  const head = () => {
    const state = stateOf(table.played.state);
    court.move(state.ball);
    // Before the first turn both accounts are known.
    const hidden = table.hides && table.bids.length ? table.other : null;
    const points = (player) => (player === hidden ? '?' : state[player.toLowerCase()]);
    const said = h('p', { class: table.bids.length ? 'revealed' : 'revealed first', role: 'status' }, sentence());
    return [accounts(points('A'), points('B')), court.element, said, why()];
  };

  // Asks for a bid.
  const ask = () => {
    const { played, you, other, fixed } = table;
    const state = stateOf(played.state);
    const points = table.own([state.a, state.b]);
    const lowest = Math.min(points, table.rules.min_bid);
    // The box offers the bid before, as far as it can be made again.
    const before = table.own(table.bids.at(-1) ?? [lowest, lowest]);
    const [form, input] = bidForm({ lowest, points, you, value: before, onbid: (bid) => table.bid(bid) });
    const hint = h('details', { class: 'hint-box' }, h('summary', {}, t(table.blind ? 'play.hintBlind' : 'play.hint')));
    hint.addEventListener('toggle', () => hint.open && showHint(hint), { once: true });
    const expectation = table.blind ? '' : t('play.expectation', { value: signed(table.toYou(played.value), 3), you });
    board.replaceChildren(
      ...head(),
      form,
      table.stood ? waitButton() : '',
      table.persons
        ? h('p', { class: 'hint' }, t('play.secret', { other }))
        : h(
            'details',
            { class: 'commitment' },
            h('summary', {}, t('play.committed', { other })),
            h('p', {}, t('play.sealed')),
            h('code', {}, fixed?.sha256),
          ),
      h('p', { class: 'expectation' }, expectation),
      ...(table.persons ? [] : [hint]),
    );
    return input;
  };

  const waitButton = () => {
    const words = table.persons ? t('play.standStill') : t('play.wait', { other: table.other });
    return h('button', { type: 'button', id: 'wait', onclick: () => table.wait() }, words);
  };

  // Hides the first person's bid until the device has been handed over.
  const handOver = () => {
    const ready = h('button', { type: 'button', class: 'primary', id: 'ready', onclick: () => (ask(), focusBid()) });
    ready.textContent = t('play.ready', { you: table.you });
    board.replaceChildren(
      ...head(),
      h('div', { class: 'cover' }, h('p', {}, t('play.handOver', { you: table.you, other: table.other })), ready),
    );
    ready.focus();
  };

  // What is typed replaces the bid that is offered.
  const focusBid = () => {
    if (!hasKeyboard()) return board.querySelector('#submit-bid')?.focus();
    board.querySelector('#bid')?.focus();
    board.querySelector('#bid')?.select();
  };
  // Begins another game, whose first bid is to be typed at once.
  const anew = (begin) => () => {
    entering = true;
    begin();
  };

  const showHint = async (hint) => {
    try {
      if (table.blind) return hint.append(...blindHint(await table.blindHint()));
      const stage = await game.ask({ ask: 'state', state: table.played.state });
      const player = table.you.toLowerCase();
      const chart = new BidChart(player);
      hint.append(chart.element);
      const probabilities = new Map(stage[player].map((bid) => [bid.bid, bid.probability]));
      chart.show({ worth: stage.worth[player], probabilities });
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
    }
  };

  const blindHint = ({ left: [fewest, most], best, losses }) => {
    const know = fewest === most ? t('blind.left', { points: most }) : t('blind.leftBetween', { fewest, most });
    const parts = [h('p', {}, know)];
    const probabilities = new Map(best.map(({ bid, probability }) => [bid, probability]));
    if (!losses) {
      const bids = best.map(({ bid, probability }) => `${bid} (${percent(probability)})`).join(', ');
      return [...parts, h('p', {}, t('blind.unlikely', { bids }))];
    }
    const chart = new BidChart(table.you.toLowerCase());
    chart.show({ worth: losses.map(([bid, loss]) => ({ bid, loss })), probabilities });
    return [...parts, chart.element];
  };

  const end = () => {
    const { played } = table;
    const won = table.toYou(played.payoff);
    const stands = table.stands ? `${t('play.stands')} ` : '';
    const names = { points: counted('withPoints', Math.abs(won)), winner: won > 0 ? table.you : table.other };
    const verdict = !won
      ? t('play.drawn')
      : table.persons
        ? t('play.wonBy', names)
        : won > 0
          ? t('play.won', names)
          : t('play.lost', names);
    const match = table.matchOver
      ? h(
          'p',
          { class: 'verdict match' },
          table.persons
            ? t('play.matchWonBy', { winner: table.score.you >= table.to ? 'A' : 'B' })
            : t(table.score.you >= table.to ? 'play.matchWon' : 'play.matchLost'),
        )
      : null;
    // Who wins meets the next stronger opponent.
    const next = won > 0 && !table.to && !table.blind && LADDER[LADDER.indexOf(table.opponent) + 1];
    const stronger =
      next && LADDER.includes(table.opponent)
        ? h(
            'button',
            { type: 'button', class: 'primary', id: 'stronger', onclick: anew(() => table.set({ opponent: next })) },
            t('play.stronger', { opponent: levelName(next) }),
          )
        : null;
    const again = h(
      'button',
      { type: 'button', class: stronger ? null : 'primary', id: 'again', onclick: anew(() => table.begin()) },
      t(table.matchOver ? 'play.newMatch' : 'play.again'),
    );
    const exchange = h('button', { type: 'button', id: 'exchange', onclick: anew(() => table.exchange()) }, t('play.exchange'));
    const parts = [
      ...head(),
      h('p', { class: 'verdict', id: 'verdict' }, `${stands}${t(`ends.${OUTCOMES[/** @type {number} */ (played.outcome)]}`)}. ${verdict}`),
      match,
      table.persons ? null : summary(),
      table.persons || table.blind ? null : symbolRow(played, table.you, table.rules.min_bid),
      h('div', { class: 'actions' }, stronger, again, table.persons || table.to ? null : exchange, tryAgain()),
      h(
        'div',
        { class: 'actions' },
        shareButton(t('share.game'), shareText, 'share-game'),
        table.persons ? null : shareButton(t('share.result'), shareResult, 'share-result'),
        table.persons || table.blind
          ? null
          : h('button', { type: 'button', id: 'share-picture', onclick: picture }, t('share.picture')),
      ),
    ];
    board.replaceChildren(...parts.filter(Boolean));
    // The curve shows values of the open game.
    if (!table.blind) replay.show(played, table.you);
    record.fill();
    if (game.section === 'play') (stronger ?? again).focus();
  };

  // The losses, in a sentence.
  const given = () => {
    const costs = table.played.turns.map((turn) => ({ turn, bid: table.own(turn.bids), cost: table.own(turn.cost) ?? 0 }));
    const sum = costs.reduce((sum, { cost }) => sum + cost, 0);
    const worst = costs.reduce((worst, entry) => (entry.cost > worst.cost ? entry : worst));
    return { sum, worst, turns: counted('turns', costs.length) };
  };
  const summaryText = () => {
    const { sum, worst, turns } = given();
    if (sum < FREE) return t('play.flawless', { turns });
    const told = { sum: number(sum, 2), turns, bid: worst.bid, state: worst.turn.state, cost: number(worst.cost, 2) };
    if (!table.blind) return t('play.gaveAway', told);
    return t('blind.gaveAway', { ...told, turn: 1 + table.played.turns.indexOf(worst.turn), best: worst.turn.best.join(', ') });
  };
  const summary = () => h('p', { id: 'gave-away' }, summaryText());
  const tryAgain = () => {
    const { worst } = given();
    if (table.persons || table.blind || worst.cost < FREE) return null;
    const again = anew(() => table.begin(worst.turn.state));
    return h('button', { type: 'button', id: 'try-again', onclick: again }, t('play.tryAgain', { state: worst.turn.state }));
  };
  const wonText = () => {
    const won = table.toYou(table.played.payoff);
    const result = won > 0 ? 'share.won' : won < 0 ? 'share.lost' : 'share.drawn';
    return t(result, { points: counted('withPoints', Math.abs(won)), opponent: opponentName(table) });
  };
  const symbols = () => (table.persons || table.blind ? [] : [symbolText(table.played, table.you, table.rules.min_bid)]);
  const shareText = () => [wonText(), ...symbols(), invitation(t('share.beat'), gameFragment(table))].join('\n');
  // Bids stay hidden, so that the other can try this game.
  const shareResult = () => {
    const gave = Number(given().sum.toFixed(2));
    const result = { won: table.toYou(table.played.payoff), turns: table.played.turns.length, gave };
    return [wonText(), ...symbols(), invitation(t('share.beat'), resultFragment(table, result))].join('\n');
  };

  const picture = () => savePicture({ said: wonText(), played: table.played, you: table.you, rules: table.rules });

  const showScore = () => {
    const { you, opponent, games } = table.score;
    const [own, theirs] = table.persons ? ['A', 'B'] : [t('play.you'), opponentName(table, 'name') ?? t('play.them')];
    const to = table.to ? ` · ${t('play.matchTo', { to: table.to })}` : '';
    const text = t('play.score', { own, theirs, you: number(you), opponent: number(opponent), games: counted('games', games) });
    scoreboard.textContent = text + to;
  };

  const showLog = () => {
    const { played, own, theirs } = table;
    secrets.replaceChildren();
    if (!played?.turns.length) return log.replaceChildren(h('p', { class: 'hint' }, t('play.noTurns')));
    const names = table.persons
      ? [t('play.turn'), 'A', 'B', t('play.after'), t('play.costs', { who: 'A' }), t('play.costs', { who: 'B' })]
      : ['turn', 'you', 'them', 'after', 'yourCost', 'theirCost'].map((name) => t(`play.${name}`));
    const [first, second] = table.persons ? [(pair) => pair[0], (pair) => pair[1]] : [own, theirs];
    // Between two persons the costs appear when nobody can profit from them any more.
    const cost = (value) => (table.persons && table.running ? '…' : value === null ? '–' : number(value, 3));
    const after = (turn) => (table.hides ? position(stateOf(turn.after).ball) : turn.after);
    const rows = played.turns.map((turn, index) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, index + 1),
        h('td', {}, first(turn.bids)),
        h('td', {}, table.hides ? '?' : second(turn.bids)),
        h('td', {}, after(turn)),
        h('td', {}, cost(first(turn.cost))),
        h('td', {}, cost(second(turn.cost))),
      ),
    );
    const heads = names.map((name) => h('th', { scope: 'col' }, name));
    secrets.replaceChildren(
      ...table.commitments.map(({ text, sha256 }) =>
        h('li', {}, table.hides ? null : h('code', {}, text), h('code', {}, sha256)),
      ),
    );
    log.replaceChildren(h('table', { class: 'log' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)));
  };

  const show = (event) => {
    setup.show();
    showScore();
    scoreboard.hidden = !table.chosen;
    if (!table.chosen && !table.played) return choose();
    if (!game.rules || !table.rules) return;
    if (!court || court.field !== table.rules.field) court = new Court({ field: table.rules.field });
    if (table.error) return board.replaceChildren(h('p', { class: 'wrong', role: 'alert' }, table.error.message));
    if (table.opponent === 'opponent' && !table.file) {
      return board.replaceChildren(h('p', { class: 'hint' }, t('play.needFile')));
    }
    if (table.training !== null) {
      const progress = h('progress', { max: 1, value: table.training, 'aria-label': t('level.training') });
      const cancel = h('button', { type: 'button', onclick: () => table.cancelTraining() }, t('cancel'));
      const words = table.blind ? t('blind.solving') : t('level.training', { name: opponentName(table, 'name') });
      return board.replaceChildren(h('p', {}, words), h('div', { class: 'actions' }, progress, cancel));
    }
    if (!table.played) return board.replaceChildren(h('p', { class: 'hint', 'aria-busy': 'true' }, t('computing')));
    showLog();
    if (table.played.outcome !== null) return end();
    if (!table.fixed && !table.persons) return;
    if (table.handsOver) return handOver();
    ask();
    // After a bid the next one is to be typed at once.
    if (event?.type === 'turn' && table.bids.length && game.section === 'play') focusBid();
    enterBoard();
  };

  // The opponent is chosen before the first game.
  const choose = () => {
    if (board.querySelector('.ladder')) return;
    const onchoice = (opponent) => anew(() => table.set({ opponent }))();
    board.replaceChildren(ladderForm({ id: 'begin-game', text: t('welcome.play'), onchoice }));
  };
  const enterBoard = () => {
    if (!entering || game.section !== 'play' || board.inert || !result.hidden) return;
    const choice = board.querySelector('.ladder input:checked');
    entering = !(choice || board.querySelector('#bid'));
    if (choice) choice.focus();
    else focusBid();
  };

  // Where a guest has come by a link, nothing else is on the page until the guest plays.
  const welcomeGuest = (yes) => {
    document.documentElement.toggleAttribute('data-guest', yes);
    result.hidden = !yes;
    if (!yes) [game.shared, game.result] = [null, null];
  };
  const theSame = (you, against, blind) => () => {
    // A link has no file.
    const opponent = !against || against === 'opponent' ? 'optimal' : against;
    const from = stateText(game.state) === stateText(game.start) ? 'start' : 'looked';
    entering = true;
    welcomeGuest(false);
    return table.set({ you, opponent, blind, from }).then(setup.show);
  };
  const offer = (onclick) => [
    h('button', { type: 'button', class: 'primary', id: 'try-same', onclick }, t('result.try')),
    h('button', { type: 'button', id: 'whole-page', onclick: () => (welcomeGuest(false), show()) }, t('friend.more')),
  ];

  // The rules, where they are not those that everybody knows.
  const otherRules = () => (sameGame({ ...game.rules, points: TENNIS.points }, TENNIS) ? '' : h('p', {}, describe(game.rules)));

  // A game from a link: it is played through, and the same position is offered.
  /** @param {SharedGame} shared */
  const showShared = async ({ bids, you, start, against }) => {
    try {
      const found = await game.ask({ ask: 'replay', start, bids });
      const won = you === 'A' ? found.payoff : -found.payoff;
      const ending = found.outcome === null ? 'open' : won > 0 ? 'won' : won < 0 ? 'lost' : 'drawn';
      const { a, b, ball } = stateOf(start);
      const names = {
        you,
        where: a === b && !ball ? t('friend.with', { points: a }) : t('friend.from', { start }),
        opponent: levelName(against ?? 'unnamed'),
        points: counted('withPoints', Math.abs(won)),
      };
      result.replaceChildren(
        h('h2', {}, t('friend.title')),
        h('p', { class: 'verdict' }, t(`friend.${ending}`, names), ' ', t('share.beat')),
        otherRules(),
        symbolRow(found, you, game.rules.min_bid),
      );
      welcomeGuest(true);
      replay.show(found, you, offer(theSame(you, against, false)));
      scrollTo(0, 0);
    } catch (error) {
      if (error instanceof Cancelled) return;
      welcomeGuest(false);
      notice(`${t('link.bids', { error: error.message })} ${t('link.rest')}`, { wrong: true });
    }
  };
  // A result from a link.
  /** @param {SharedResult} shared */
  const showResult = ({ as, against, told, won, turns, gave }) => {
    const names = { points: counted('withPoints', Math.abs(won)), opponent: levelName(against), you: as };
    const rest = [
      turns === undefined ? '' : t('result.turns', { turns: counted('turns', turns) }),
      gave === undefined ? '' : t('result.gave', { sum: number(gave, 2) }),
      told === 'ball' ? t('result.blind') : '',
    ];
    result.replaceChildren(
      h('h2', {}, t('result.title')),
      h('p', { class: 'verdict' }, t(won > 0 ? 'result.won' : won < 0 ? 'result.lost' : 'result.drawn', names), ' ', t('share.beat')),
      h('p', {}, describe(game.rules)),
      h('p', {}, rest.filter(Boolean).join(' ')),
      h('div', { class: 'actions' }, offer(theSame(as, against, told === 'ball'))),
    );
    welcomeGuest(true);
  };
  const enter = async () => {
    if (game.section !== 'play') return welcomeGuest(false);
    if (!game.rules) return;
    // A game that begins takes the one before from sight.
    if (!table.played || table.rules !== game.rules) (await table.resume()) || (table.chosen ? await table.begin() : show());
    // The game of a link may still have to be solved.
    if (game.shared && game.is(game.shared.rules)) await showShared(game.shared);
    if (game.result && game.is(game.result.rules)) showResult(game.result);
    enterBoard();
  };
  const begin = (event) => {
    replay.clear();
    show(event);
  };
  // The page may be built anew while a game is at the table.
  listener?.abort();
  listener = new AbortController();
  const { signal } = listener;
  table.addEventListener('begin', begin, { signal });
  table.addEventListener('strength', () => setup.show(), { signal });
  for (const type of ['turn', 'hidden', 'training']) table.addEventListener(type, show, { signal });
  document.addEventListener('paste', record.paste, { signal });
  show();
  return {
    element,
    listeners: {
      solving: () => cover(true),
      progress: ({ detail }) => (share.value = detail.share),
      solved: async ({ detail }) => {
        cover(false);
        if (detail.failed || !game.rules) return;
        if (table.rules && table.rules !== game.rules && table.played) table.forget();
        await enter();
      },
      section: (event) => {
        entering = event.detail?.enter ?? entering;
        return enter();
      },
    },
    start: enter,
  };
}

function fairness(secrets) {
  return h(
    'details',
    {},
    h('summary', {}, t('fair.title')),
    h('p', {}, t('fair.how')),
    h('p', {}, t('fair.blind')),
    h('pre', {}, "printf '%s' 'turn 1: B bids 7, 0f3a…' | sha256sum"),
    h('p', {}, t('fair.why')),
    h('p', {}, t('fair.list')),
    secrets,
  );
}
