// Games of any rules, from the gallery or a file: states, matrices, play, and the judgement of policies.

import { gameFile } from 'page/boards.js';
import { cardTable } from 'page/cards.js';
import { css, valueColour } from 'page/colours.js';
import { card, decimal, download, fileButton, h, likelier, number, percent, power, randomHex, s, signed } from 'page/dom.js';
import { explainWidth } from 'page/errors.js';
import { gallery as galleryOf } from 'page/gallery.js';
import { game } from 'page/game.js';
import { said, translated, unsaid } from 'page/gamestrings.js';
import { hiddenPlace, hiddenTitle, isHidden } from 'page/hidden.js';
import { matrixEditor } from 'page/matrixeditor.js';
import { matrixFile, readMatrix } from 'page/matrixgame.js';
import { dismiss, notice } from 'page/notice.js';
import { boardOf, pitch, ring } from 'page/pitch.js';
import { Cancelled, Solver } from 'page/solver.js';
import { shownGame } from 'page/state.js';
import { language, t } from 'page/strings.js';

const LEVELS = ['person', 'optimal', 'quantal:30', 'quantal:5', 'uniform'];
const USUAL = { A: 'person', B: 'optimal' };
// The most rows and columns of a matrix and bars of a strategy; the most states of a list.
const MOST = 24;
const MOST_LISTED = 60;
// A picture of what can follow is drawn where it can be read: without scrolling, and with so few lines that the eye can follow them.
const MOST_ROWS = 28;
const LINES_A_STATE = 2;
const LONGEST_FILE = 64e6;

// Kept when the page is built anew in another language.
const solver = new Solver();
/** @type {{ name: string, summary: AnySummary }} */
let opened = /** @type {NotYet} */ (null);
/** @type {AnyStage} */
let at = /** @type {NotYet} */ (null);
let trail = [];
// The game with hidden information that is shown instead, if one is.
/** @type {string | null} */
let concealed = null;

// The best known games come first, the others by name.
const FIRST = ['rps', 'soccer'];
const sortedGames = () => {
  /** @param {[string, string]} game */
  const rank = ([name]) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);
  return Object.entries(globalThis.packed.games).sort((one, other) => rank(one) - rank(other));
};

const isPacked = (name) => Object.hasOwn(globalThis.packed.games, name);
const isGallery = (name) => isPacked(name) && !name.includes('.');

// An action or a state of the game that is shown, in words.
const inWords = (text) => said(language(), shownGame.name, text);

// A state that leads to itself.
const stateLink = (state, jump) => h('button', { type: 'button', class: 'link', onclick: () => jump(state) }, inWords(state));

export function games() {
  const status = h('p', { class: 'status', role: 'status' });
  const progress = h('progress', { max: 1, value: 0, 'aria-label': t('games.progress') });
  const cancel = h('button', { type: 'button', onclick: () => solver.cancel() }, t('cancel'));
  const working = h('div', { class: 'actions', hidden: true }, progress, cancel);
  const about = h('div', {});
  const shown = h('div', { class: 'column', id: 'any-state' });
  // Says what the last turn did, above the state that it led to.
  const last = h('div', { class: 'any-last', role: 'status' });
  const players = ['A', 'B'].map((player) =>
    h(
      'select',
      { id: `any-${player}`, onchange: () => changed() },
      [...LEVELS, 'file'].map((level) =>
        h('option', { value: level, selected: level === USUAL[player] }, t(`games.level.${level}`)),
      ),
    ),
  );
  const hide = h('input', { type: 'checkbox', id: 'any-hide', onchange: () => at && (show(), showNear(), search()) });
  const found = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('games.states') });
  const word = h('input', { type: 'text', id: 'any-word', oninput: () => search() });
  const near = h('div', {});
  const log = h('ol', { class: 'any-log' });
  const nothing = h('p', { class: 'hint' }, t('games.noTurn'));
  const summed = h('p', { class: 'hint' });
  const verdict = h('div', { id: 'any-verdict' });
  let chosen = { A: null, B: null };
  let files = {};
  let playing = false;
  let round = 0;
  let around = null;
  const hidden = hiddenPlace();

  solver.onprogress = (share) => (progress.value = share);
  // A file that cannot be opened is explained below its name, all else where it is seen from everywhere.
  const fail = (error) => {
    const opening = !working.hidden;
    working.hidden = true;
    if (error instanceof Cancelled) {
      // The thread is gone, and its game with it.
      opened = /** @type {NotYet} */ (null);
      shown.replaceChildren();
      return (status.textContent = t('cancelled'));
    }
    if (!opening) return notice(error.message, { wrong: true, until: 'games' });
    status.classList.add('wrong');
    status.textContent = error.message;
  };
  const guarded =
    (action) =>
    (...given) =>
      Promise.resolve(action(...given)).catch(fail);

  // `beside` is brought into view where the state is not beside the choice of games.
  const open = async (name, text, state, beside = /** @type {HTMLElement | null} */ (null)) => {
    status.classList.remove('wrong');
    status.textContent = t('games.solving', { name });
    [working.hidden, progress.value] = [false, 0];
    const mine = ++round;
    const summary = await solver.ask({ ask: 'any_open' }, text);
    // Another game was opened meanwhile.
    if (mine !== round) return;
    [working.hidden, status.textContent] = [true, ''];
    concealed = null;
    opened = { name, summary };
    [trail, files, chosen] = [[], {}, { A: null, B: null }];
    arrange();
    for (const select of players) select.value = USUAL[select.id.slice(-1)];
    for (const policy of policies) policy.querySelector('.hint').textContent = '';
    showFiles();
    verdict.replaceChildren();
    tell();
    await arrive(state);
    await search();
    if (beside) beside.scrollIntoView({ block: 'start' });
  };
  const openNamed = guarded((name, ...more) =>
    isHidden(name) ? openHidden(name, ...more) : open(name, new TextEncoder().encode(gameFile(name)), ...more),
  );
  // A game with hidden information is solved already.
  const openHidden = async (name, at, beside = /** @type {HTMLElement | null} */ (null)) => {
    round++;
    [working.hidden, status.textContent] = [true, ''];
    dismiss('games');
    concealed = name;
    hidden.open(name, at);
    gallery.mark(name);
    about.replaceChildren();
    arrange();
    if (beside) hidden.table.scrollIntoView({ block: 'start' });
  };
  const inView = () => (narrow.matches ? last : null);
  const openFile = guarded(async (file) => {
    if (!file) return;
    // What is wrong with the file is said below its name.
    working.hidden = false;
    if (file.size > LONGEST_FILE) throw new Error(`${file.name}: ${t('games.large', { most: number(LONGEST_FILE / 1e6) })}`);
    // The module has no solver for hidden information: it would be too large for the page.
    if ((await file.slice(0, 4).text()) === 'EFG ') throw new Error(`${file.name}: ${t('games.tree', { name: file.name })}`);
    const table = await of(file, matrixIn(file));
    if (table) editor.load(table);
    const bytes = table ? new TextEncoder().encode(matrixFile(table, file.name)) : new Uint8Array(await file.arrayBuffer());
    await of(file, open(file.name, bytes, undefined, inView()));
  });

  // Looks at the state of a link, or at the start; says so if the game has no such state.
  async function arrive(state, otherwise = opened.summary.start[0]) {
    const there =
      state !== undefined &&
      (await look(state).then(
        () => true,
        () => false,
      ));
    if (!there) await look(otherwise);
    if (!there && state !== undefined) notice(t('games.nowhere', { state }), { wrong: true, until: 'games' });
  }

  function tell() {
    const { discount, states, cells, widest, reason } = opened.summary;
    const own = titled();
    gallery.mark(opened.name);
    const kind = t(`games.kind.${opened.summary.kind}`, { discount });
    about.replaceChildren(
      h('h3', { id: 'any-title' }, own[0]),
      own[1] ? h('p', {}, own[1]) : '',
      h(
        'p',
        { class: 'hint' },
        t('games.summary', { kind, states: number(states), cells: number(cells), widest: power(widest) }),
      ),
      reason ? h('p', { class: 'hint' }, explainWidth(reason)) : '',
    );
  }

  // The title and the description.
  const titled = () => {
    const { title, description } = opened.summary;
    return (isGallery(opened.name) && translated(language(), opened.name)) || [title ?? opened.name, description];
  };

  // Shows a state; `arrives` moves the focus to its name, which brings it into view.
  async function look(state, arrives = false) {
    at = await solver.ask({ ask: 'any_stage', state });
    chosen = { A: null, B: null };
    Object.assign(shownGame, { name: opened.name, at: state });
    game.link();
    dismiss('games');
    show(arrives);
    around = await solver.ask({ ask: 'any_near', state });
    showNear();
  }

  const showNear = () => {
    if (!around) return;
    const many = h('p', { class: 'hint' }, t('games.nearMany'));
    near.replaceChildren(isReadable(around) ? graph(around, guarded(jump), hide.checked) : many);
  };

  const jump = (state) => ((trail = []), look(state, true));

  const index = (player) => (player === 'A' ? 0 : 1);
  const own = (player) => at[player.toLowerCase()];

  // Chooses a person's action, or takes it back; once all persons have chosen, the others are drawn.
  const choose = guarded(async (player, action) => {
    if (playing) return;
    dismiss('games');
    chosen[player] = chosen[player] === action ? null : action;
    const waits = ['A', 'B'].some(
      (name) => players[index(name)].value === 'person' && chosen[name] === null && own(name).length > 1,
    );
    if (waits) return show();
    await turn();
  });

  const draw = guarded(() => turn());

  // A person takes over from a player whose actions are drawn.
  const take = (player) => ((players[index(player)].value = 'person'), changed());

  // Plays a turn; where that fails, everybody chooses again.
  async function turn() {
    if (playing || at.over) return;
    playing = true;
    try {
      await play(at);
    } catch (error) {
      if (!(error instanceof Cancelled)) changed();
      throw error;
    } finally {
      playing = false;
    }
  }

  // Actions that nobody chose are drawn, a person's from the optimum.
  async function play(from) {
    const played = {};
    const made = { ...chosen };
    for (const player of ['A', 'B']) {
      const level = players[index(player)].value;
      if (made[player] !== null) played[player] = made[player];
      else if (own(player).length === 1) played[player] = 0;
      else {
        const name = level === 'person' ? 'optimal' : level;
        if (name === 'file' && !files[player]) throw new Error(t('games.noFile', { player }));
        await ready(player, name, files[player]);
        const { action } = await solver.ask({ ask: 'any_draw', state: from.state, player, bits: randomHex(8) });
        played[player] = from[player.toLowerCase()].findIndex((entry) => entry.action === action);
      }
    }
    const actions = [played.A, played.B];
    const { to } = await solver.ask({ ask: 'any_next', state: from.state, actions, bits: randomHex(8) });
    // Somebody looked at another state meanwhile.
    if (at !== from) return;
    const [a, b] = [at.a[played.A], at.b[played.B]];
    trail.push({
      state: at.state,
      a: a.action,
      b: b.action,
      to,
      costs: [a.loss, b.loss],
      reward: at.cells[played.A][played.B].reward,
    });
    await look(to);
  }

  // Tells the solver how a player plays; a file is read anew for every turn, since the solver knows one player a side.
  async function ready(player, name, file) {
    const ask = { ask: 'any_player', player, level: name === 'file' ? null : name };
    const { known } = await solver.ask(ask, name === 'file' ? file.bytes : undefined);
    if (!known) throw new Error(t('games.noPart', { player }));
  }

  // A player's file is checked when it is chosen.
  async function choosePolicy(player, file) {
    if (!file) return;
    const label = policies[index(player)].querySelector('.hint');
    [files[player], label.textContent] = [null, ''];
    changed();
    const read = { bytes: new Uint8Array(await file.arrayBuffer()) };
    await of(file, ready(player, 'file', read));
    [files[player], label.textContent] = [read, t('games.reads', { name: file.name })];
  }

  const search = guarded(async () => {
    if (!opened) return;
    const wanted = unsaid(language(), opened.name, word.value);
    const { found: count, states } = await solver.ask({ ask: 'any_find', word: wanted });
    const rows = states
      .slice(0, MOST_LISTED)
      .map(({ state, value }) =>
        h(
          'li',
          {},
          stateLink(state, guarded(jump)),
          hide.checked ? '' : ` ${signed(value, 4)}`,
        ),
      );
    found.replaceChildren(
      h('p', { class: 'hint' }, t('games.found', { count: number(count) })),
      h('ul', { class: 'any-list' }, rows),
    );
  });

  const judge = guarded(async (file) => {
    if (!file || !opened) return;
    // The judgement of another file is not this one's.
    verdict.replaceChildren();
    dismiss('games');
    const report = await of(file, solver.ask({ ask: 'any_judge' }, new Uint8Array(await file.arrayBuffer())));
    verdict.replaceChildren(...judgement(report, file.name, guarded(jump)));
  });

  // The keyboard's focus stays on the same control, or moves to the state's name where there is none any more.
  function show(arrives = false) {
    const focused = /** @type {HTMLElement} */ (document.activeElement);
    const held = arrives || shown.contains(focused);
    draft();
    if (held) (shown.querySelector(`[data-key="${focused.dataset.key}"]`) ?? shown.querySelector('h2')).focus();
  }

  function draft() {
    const hidden = hide.checked && !at.over;
    const { lower, upper } = at.decimal;
    const strategies = (at.over ? [] : ['A', 'B']).map((player) => {
      const person = players[index(player)].value === 'person';
      return bars(player, own(player), chosen[player], hidden, choose, person ? null : () => take(player));
    });
    const state = card(
      inWords(at.state),
      pictured(),
      hidden
        ? ''
        : [
            h(
              'p',
              { class: 'value' },
              h('output', { id: 'any-value' }, signed(at.value, 6)),
              h('span', { class: 'unit' }, t('games.toA')),
            ),
            h(
              'p',
              { class: 'hint digits' },
              lower === upper
                ? t('games.worth', { value: decimal(lower) })
                : t('games.bounds', { lower: power(lower), upper: power(upper) }),
            ),
          ],
      at.over ? '' : [strategies, hidden ? '' : h('p', { class: 'hint' }, t('games.barsHint'))],
      h(
        'div',
        { class: 'actions' },
        at.over
          ? ''
          : h('button', { type: 'button', class: 'primary', id: 'any-draw', 'data-key': 'draw', onclick: draw }, t('games.draw')),
        h(
          'button',
          { type: 'button', id: 'any-again', 'data-key': 'again', onclick: () => guarded(jump)(opened.summary.start[0]) },
          t('games.again'),
        ),
        h('label', { for: 'any-hide', class: 'inline' }, hide, ` ${t('games.hide')}`),
      ),
    );
    state.querySelector('h2').tabIndex = -1;
    state.prepend(h('p', { class: 'hint any-name' }, titled()[0]));
    last.replaceChildren(...lastly());
    shown.replaceChildren(
      state,
      at.over || hidden
        ? ''
        : card(t('games.matrix'), h('p', { class: 'hint' }, t('games.matrixHint')), matrix(at, guarded(jump))),
    );
    [nothing.hidden, saving.hidden] = [trail.length > 0, !trail.length];
    [summed.hidden, summed.textContent] = [hide.checked || !trail.length, t('games.sums', sums())];
    log.replaceChildren(
      ...trail.map(({ state, a, b, to, costs, reward }) => {
        const price = costs.map((cost) => (hide.checked || cost < 5e-7 ? '' : ` (−${number(cost, 4)})`));
        const back = stateLink(state, guarded(jump));
        return h('li', {}, back, `: A ${inWords(a)}${price[0]}, B ${inWords(b)}${price[1]} → ${inWords(to)}${pays(reward)}`);
      }),
    );
  }

  // Who reaches a goal on the right scores for A, on the left for B.
  function pictured() {
    if (opened.name.startsWith('goofspiel-')) return cardTable(at.state) ?? '';
    if (!at.picture) return '';
    const rows = boardOf(at.picture);
    const soccer = opened.name === 'soccer';
    if (!rows) return ring(at.picture, at.picture) ?? h('pre', { class: 'any-picture' }, at.picture);
    return pitch(rows, { name: at.picture, goals: soccer ? [1, 2] : [], hasBall: soccer });
  }

  // The last turn and the end, in sentences.
  function lastly() {
    const turn = trail.at(-1);
    const price = (cost) => (hide.checked || cost < 5e-7 ? '' : ` (${t('games.cost', { cost: number(cost, 4) })})`);
    const sentence = ({ a, b, costs, to, reward }) =>
      `A: ${inWords(a)}${price(costs[0])}, B: ${inWords(b)}${price(costs[1])} → ${inWords(to)}${pays(reward)}`;
    return [
      turn && h('p', {}, sentence(turn)),
      at.over && h('p', {}, t('games.over', { value: signed(payoff(), 6) })),
      at.over && turn && !hide.checked && h('p', {}, t('games.sums', sums())),
      // The line is always there, so that nothing moves below the pointer.
      !turn && !at.over && h('p', { class: 'hint' }, t('games.noTurn')),
    ].filter(Boolean);
  }

  // What both players' actions have cost, as `replay` of the program adds it up.
  const sums = () => {
    const [a, b] = [0, 1].map((player) => trail.reduce((sum, { costs }) => sum + costs[player], 0));
    return { a: number(a, 4), b: number(b, 4) };
  };

  // The rewards and the end's value, each discounted by the turns before it.
  const payoff = () => {
    const discount = ratio(opened.summary.discount);
    return trail.reduceRight((sum, { reward }) => ratio(reward) + discount * sum, at.value);
  };

  const pays = (reward) => (reward === '0' ? '' : t('games.reward', { reward }));

  // The same lines that `replay` of the program reads.
  const save = () => {
    const lines = trail.map(({ state, a, b, to }) => ({ state, a, b, to }));
    const name = isGallery(opened.name) ? `@${opened.name}` : opened.name;
    const text = [{ format: 'stochastic-game-play', version: 1, game: name }, ...lines].map((line) => JSON.stringify(line));
    download('play.jsonl', `${text.join('\n')}\n`);
  };

  const saving = h('button', { type: 'button', hidden: true, onclick: save }, t('games.save'));

  const fileOf = (id, accept, onread) => {
    const input = h('input', { type: 'file', id, accept });
    input.addEventListener('change', () => onread(input.files[0]).then(() => (input.value = '')));
    return fileButton(input);
  };
  // A file that came with the page may be in another form than JSON Lines.
  const titleOf = (name, text) => {
    try {
      const own = isGallery(name) && translated(language(), name);
      return own ? own[0] : (JSON.parse(text.slice(0, text.indexOf('\n'))).title ?? name);
    } catch {
      return name;
    }
  };
  const gallery = galleryOf(
    [
      { title: t('hidden.group.open'), games: sortedGames().map(([name, text]) => ({ name, title: titleOf(name, text) })) },
      {
        title: t('hidden.group'),
        games: Object.keys(globalThis.packed.hidden).map((name) => ({ name, title: hiddenTitle(name)[0] })),
      },
    ],
    (name) => openNamed(name, undefined, inView()),
  );
  const drop = h(
    'div',
    { class: 'drop' },
    h('label', { for: 'any-file' }, t('games.drop')),
    fileOf('any-file', '.jsonl,.json,.txt,.csv,.tsv,.efg', openFile),
    h('p', { class: 'hint' }, t('games.format')),
  );
  drop.addEventListener('dragover', (event) => (event.preventDefault(), drop.classList.add('over')));
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener(
    'drop',
    (event) => (event.preventDefault(), drop.classList.remove('over'), openFile(event.dataTransfer.files[0])),
  );
  const policies = ['A', 'B'].map((player) =>
    h(
      'div',
      { hidden: true },
      h('label', { for: `any-policy-${player}` }, t('games.csv')),
      fileOf(
        `any-policy-${player}`,
        '.csv',
        guarded((file) => choosePolicy(player, file)),
      ),
      h('span', { class: 'hint', role: 'status' }),
    ),
  );
  const showFiles = () => policies.forEach((policy, place) => (policy.hidden = players[place].value !== 'file'));
  // Choices were made against the player before: they are dropped.
  const changed = () => {
    chosen = { A: null, B: null };
    dismiss('games');
    showFiles();
    if (at) show();
  };
  const choice = card(
    t('games.title'),
    h('p', {}, t('games.intro')),
    gallery.element,
    drop,
    status,
    working,
    about,
    hidden.about,
  );
  const editor = matrixEditor();
  const state = h('div', {}, last, shown);
  const left = h('div', { class: 'column' }, choice);
  const right = h('div', { class: 'column' });
  // The state stands beside the choice of games; in a single column it comes first once there is one, for eyes and keyboards alike.
  const narrow = matchMedia('(max-width: 959px)');
  const arrange = () => {
    const column = narrow.matches && (opened || concealed) ? left : right;
    if (state.parentElement !== column) {
      // What is moved loses the focus.
      const focused = /** @type {HTMLElement | null} */ (document.activeElement);
      column.prepend(state, hidden.table);
      focused?.focus();
    }
    for (const part of [state, about, ...ofStates]) part.hidden = concealed !== null;
    for (const part of [hidden.about, hidden.table, hidden.sets]) part.hidden = concealed === null;
  };
  narrow.onchange = arrange;
  // What belongs to games of states alone.
  const ofStates = [
    card(
      t('games.players'),
      ['A', 'B'].map((player) =>
        h(
          'div',
          { class: 'fields' },
          h('div', {}, h('label', { for: `any-${player}` }, t('games.player', { player })), players[index(player)]),
          policies[index(player)],
        ),
      ),
      h('p', { class: 'hint' }, t('games.playersHint')),
    ),
    card(t('games.log'), nothing, log, summed, h('div', { class: 'actions' }, saving)),
    card(t('games.judge'), h('label', { for: 'any-judged' }, t('games.judgeHint')), fileOf('any-judged', '.csv', judge), verdict),
    card(t('games.near'), near),
    card(t('games.states'), h('div', {}, h('label', { for: 'any-word' }, t('games.search')), ' ', word), found),
  ];
  right.append(hidden.sets, editor.element, ...ofStates);
  arrange();
  const element = h('div', { class: 'columns two' }, left, right);
  // The first visit opens the game of the link, or the first of the gallery.
  const section = async () => {
    if (game.section !== 'games') return;
    editor.show();
    const { name, at: state } = game.any ?? {};
    game.any = null;
    const unknown = name !== undefined && name !== opened?.name && !isPacked(name) && !isHidden(name);
    if (concealed && (unknown || name === undefined || name === concealed)) {
      await openNamed(concealed, unknown ? undefined : (state ?? hidden.at()));
    } else if (opened && !isHidden(name) && (unknown || name === undefined || name === opened.name)) {
      tell();
      await guarded(arrive)(unknown ? undefined : state, at?.state);
      await search();
    } else await openNamed(unknown ? FIRST[0] : (name ?? FIRST[0]), unknown ? undefined : state);
    if (unknown) notice(t('games.unknown', { name }), { wrong: true, until: 'games' });
  };
  // Before a link is followed, only a game that is shown already is shown anew.
  return { element, listeners: { section: () => (game.opening = section()) }, start: () => (opened || concealed) && section() };
}

// The table of numbers in a file; nothing where the file has another form.
async function matrixIn(file) {
  return /\.(csv|tsv)$/i.test(file.name) ? readMatrix(await file.text()) : null;
}

// What is wrong with a file, after its name.
const of = (file, answer) =>
  answer.catch((error) => {
    throw error instanceof Cancelled ? error : new Error(`${file.name}: ${error.message}`);
  });

// The actions with the highest probabilities and then the smallest losses, in the order of the file.
function listed(actions) {
  const placed = actions.map((entry, place) => ({ ...entry, place }));
  placed.sort(likelier);
  return placed.slice(0, MOST).sort((one, other) => one.place - other.place);
}

// A player's actions as buttons with bars: probabilities of the optimum, and what each action loses. The buttons are disabled
// where the actions are drawn; `take` puts a person in the player's place.
function bars(player, actions, chosen, hidden, choose, take) {
  // The likeliest come first, unless that is to be found out.
  const inFile = listed(actions);
  const first = hidden ? inFile : [...inFile].sort(likelier);
  const rows = first.map(({ action, probability, loss, place }) =>
    h(
      'div',
      { class: 'any-bar' },
      h(
        'button',
        {
          type: 'button',
          'data-key': `${player}-${place}`,
          'aria-pressed': String(chosen === place),
          disabled: take !== null,
          onclick: () => choose(player, place),
        },
        inWords(action),
      ),
      hidden ? '' : h('span', { class: `any-length of-${player.toLowerCase()}`, style: `--share: ${probability}` }),
      hidden
        ? ''
        : h('span', { class: 'hint' }, probability > 0 ? percent(probability) : loss > 0 ? `−${number(loss, 4)}` : '0 %'),
    ),
  );
  const rest = actions.length - rows.length;
  return h(
    'div',
    { class: 'any-player' },
    h('h3', {}, t('games.plays', { player })),
    // It has the key of the first action, which receives the focus once it can be chosen.
    take &&
      h(
        'p',
        { class: 'hint' },
        t('games.drawn', { player }),
        ' ',
        h(
          'button',
          { type: 'button', class: 'link', 'data-key': `${player}-${first[0].place}`, onclick: take },
          t('games.take', { player }),
        ),
      ),
    rows,
    rest ? h('p', { class: 'hint' }, t('games.more', { rest })) : '',
  );
}

// A decimal or a fraction as a number.
const ratio = (text) =>
  text
    .split('/')
    .map(Number)
    .reduce((over, under) => over / under);

// The stage game: values as colours, successors as buttons.
function matrix({ a, b, cells }, jump) {
  const [rowsShown, columnsShown] = [listed(a), listed(b)];
  const most = Math.max(...cells.flat().map(({ value }) => Math.abs(value)), 1e-300);
  const name = ({ action, probability }) => (probability > 0 ? h('strong', {}, inWords(action)) : inWords(action));
  const follow = ({ to, reward }) => [
    reward === '0' ? '' : h('span', { class: 'hint' }, ` ${signed(ratio(reward), 3)} `),
    to
      .slice(0, 4)
      .map(([share, state]) =>
        h(
          'span',
          { class: 'any-next' },
          share === '1' ? '' : h('span', { class: 'hint' }, share),
          stateLink(state, jump),
        ),
      ),
    to.length > 4 ? '…' : '',
  ];
  const head = h(
    'tr',
    {},
    h('td', {}, 'A \\ B'),
    columnsShown.map((entry) => h('th', { scope: 'col' }, name(entry))),
  );
  const rows = rowsShown.map((own) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, name(own)),
      columnsShown
        .map(({ place }) => cells[own.place][place])
        .map((cell) =>
          h(
            'td',
            {},
            h(
              'div',
              { class: 'any-worth' },
              h('span', { class: 'any-swatch', style: `background: ${css(valueColour(cell.value, most))}` }),
              ` ${signed(cell.value, 4)}`,
            ),
            h('div', { class: 'any-follow' }, follow(cell)),
          ),
        ),
    ),
  );
  const table = h('table', { class: 'figures any-matrix' }, h('thead', {}, head), h('tbody', {}, rows));
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('games.matrix') }, table);
}

function short(state) {
  const name = inWords(state);
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}

// Whether a picture of the neighbourhood can be read.
function isReadable({ states, edges, hidden }) {
  const tallest = Math.max(...[0, 1, 2].map((depth) => states.filter((state) => state.depth === depth).length));
  return hidden === 0 && tallest <= MOST_ROWS && edges.length <= LINES_A_STATE * states.length;
}

// The neighbourhood: the state, its successors and theirs, in three columns as wide as their names.
function graph({ states, edges }, jump, colourless) {
  const columns = [0, 1, 2].map((depth) =>
    states.map((state, place) => ({ ...state, place })).filter((state) => state.depth === depth),
  );
  const tall = Math.max(...columns.map((column) => column.length)) * 24 + 16;
  const most = Math.max(...states.map(({ value }) => Math.abs(value)), 1e-300);
  const where = [];
  // A letter is 7 wide at most, on average; between a name and the next column there is room for lines.
  let wide = 20;
  for (const column of columns) {
    column.forEach(({ place }, row) => (where[place] = [wide, ((row + 0.5) * tall) / column.length]));
    wide += 7 * Math.max(0, ...column.map(({ state }) => short(state).length)) + (column === columns[2] ? 16 : 46);
  }
  const line = ([from, to]) => {
    const [[x, y], [end, height]] = [where[from], where[to]];
    const path =
      end > x
        ? `M${x} ${y}C${x + 0.7 * (end - x)} ${y} ${end - 0.4 * (end - x)} ${height} ${end} ${height}`
        : `M${x} ${y}q-26 ${(height - y) / 2 - 10} ${end - x} ${height - y}`;
    return s('path', { d: path, fill: 'none', stroke: 'var(--muted)', 'stroke-opacity': 0.45 });
  };
  const node = ({ state, value, over }, place) =>
    s(
      'g',
      {
        role: 'button',
        tabindex: 0,
        'aria-label': inWords(state),
        onclick: () => jump(state),
        onkeydown: (event) => ['Enter', ' '].includes(event.key) && (event.preventDefault(), jump(state)),
      },
      s('circle', {
        cx: where[place][0],
        cy: where[place][1],
        r: over ? 6 : 8,
        fill: colourless ? 'var(--card)' : css(valueColour(value, most)),
        stroke: 'var(--ink)',
      }),
      s(
        'text',
        {
          x: where[place][0] + 12,
          y: where[place][1] + 4,
          'font-size': 12,
          fill: 'var(--ink)',
          stroke: 'var(--card)',
          'stroke-width': 7,
          'stroke-linejoin': 'round',
          'paint-order': 'stroke',
        },
        short(state),
      ),
    );
  const picture = s(
    'svg',
    {
      viewBox: `0 0 ${wide} ${tall}`,
      class: 'any-graph',
      style: `--wide: ${wide}px`,
      role: 'group',
      'aria-label': t('games.near'),
    },
    edges.map(line),
    states.map(node),
  );
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('games.near') },
    picture,
  );
}

function judgement({ players }, name, jump) {
  return players
    .map(({ player, worth, loss, worst_states: worst }) => [
      h('h3', {}, t('games.judged', { name, player })),
      h(
        'p',
        {},
        t('games.loses', {
          player,
          loss: decimal(loss.decimal.value),
          lower: decimal(worth.decimal.lower),
          upper: decimal(worth.decimal.upper),
        }),
      ),
      worst.length
        ? h(
            'ul',
            { class: 'any-list' },
            worst.map(({ state, regret }) =>
              h(
                'li',
                {},
                stateLink(state, jump),
                ` −${number(regret, 5)}`,
              ),
            ),
          )
        : h('p', { class: 'hint' }, t('games.nothing')),
    ])
    .flat();
}
