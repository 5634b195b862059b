// Games with hidden information: what a player may know, the optimum there, and play against it.

import { card, decimal, fraction, h, likelier, number, percent, power, random, signed } from 'page/dom.js';
import { game } from 'page/game.js';
import { HIDDEN } from 'page/gamestrings.js';
import { HiddenTree } from 'page/hiddentree.js';
import { familyOf, known, shownText, word, wordsOf } from 'page/hiddenwords.js';
import { notice } from 'page/notice.js';
import { shownGame } from 'page/state.js';
import { language, t } from 'page/strings.js';

// The most information sets of a list.
const MOST_LISTED = 60;
// Losses below this are of rounding: probabilities are given to a ten-thousandth.
const ROUNDING = 5e-4;

export const isHidden = (name) => Object.hasOwn(globalThis.packed.hidden, name);

// The sizes of the gallery's games whose names do not say it.
const SIZES = { 'liars-dice': 5, 'hidden-goofspiel': 4 };

// The title and the rules of a game, as far as they are known.
export function hiddenTitle(name) {
  const family = familyOf(name);
  const size = /-(\d+)$/.exec(name)?.[1] ?? SIZES[name];
  const texts = HIDDEN[language()][family];
  return texts ? texts.map((text) => text.replaceAll('{size}', size)) : [globalThis.packed.hidden[name].title ?? name];
}

/** @type {Map<string, HiddenTree>} */
const trees = new Map();

function treeOf(name) {
  const tree = trees.get(name) ?? new HiddenTree(globalThis.packed.hidden[name]);
  trees.set(name, tree);
  return tree;
}

const capital = (player) => player.toUpperCase();

// A set's actions: how often the optimum chooses them, what they are worth to A, and what they lose; `chosen` is marked.
function actionsTable(set, chosen = -1) {
  const entries = set.actions.map((action, place) => {
    const share = set.mixture?.[place];
    const { payoff, loss } = set.worth[place] ?? {};
    return { action, place, share, payoff, probability: share ?? 0, loss: loss ?? 0 };
  });
  const rows = entries.sort(likelier).map(({ action, place, share, payoff, loss }) => {
    const bar = h('span', { class: `any-length of-${set.player}`, style: `--share: ${share}` });
    return h(
      'tr',
      { class: place === chosen && 'chosen' },
      h('th', { scope: 'row' }, word(action), place === chosen ? ` ← ${t('hidden.chosen')}` : ''),
      h('td', { class: 'hidden-share' }, share === undefined ? '–' : [h('span', {}, percent(share)), bar]),
      h('td', {}, payoff === undefined ? '–' : signed(payoff, 3)),
      h('td', {}, payoff === undefined ? '–' : loss < ROUNDING ? '0' : number(loss, 3)),
    );
  });
  const heads = ['action', 'often', 'worth', 'loss'].map((key) => h('th', { scope: 'col' }, t(`hidden.${key}`)));
  const remarks = [
    !set.mixture && t('hidden.ownNever', { player: capital(set.player) }),
    !set.worth.length && t('hidden.never', { player: set.player === 'a' ? 'B' : 'A' }),
  ].filter(Boolean);
  return [
    h('table', { class: 'figures hidden-actions' }, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)),
    ...remarks.map((text) => h('p', { class: 'hint' }, text)),
  ];
}

export function hiddenPlace() {
  let name = '';
  let tree = /** @type {HiddenTree} */ (/** @type {unknown} */ (null));
  // The person, the node of the play, and who chose what so far.
  let person = /** @type {Side} */ ('a');
  let node = 0;
  let choices = /** @type {{ set: HiddenSet, action: number }[]} */ ([]);
  let hinted = false;
  let score = { games: 0, won: 0 };
  let looked = /** @type {HiddenSet} */ (/** @type {unknown} */ (null));

  const about = h('div', {});
  const table = h('div', { class: 'column', id: 'hidden-table' });
  const view = h('div', { id: 'hidden-set' });
  const found = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': t('hidden.sets') });
  const search = h('input', { type: 'text', id: 'hidden-word', oninput: () => list() });
  const side = (id, onchange) =>
    h(
      'select',
      { id, onchange },
      ['a', 'b'].map((player) => h('option', { value: player }, capital(player))),
    );
  const you = side('hidden-you', () => ((person = you.value), (score = { games: 0, won: 0 }), begin(false)));
  const whose = side('hidden-whose', () => (list(), look(tree.sets[whose.value][0])));

  // Plays on until the person has a choice, or the game is over: all else is drawn.
  function advance() {
    while (tree.payoff[node] === null) {
      const set = tree.set[node];
      if (set?.player === person && set.actions.length > 1) break;
      const action = set?.player === person ? 0 : tree.drawn(node, random);
      if (set) choices.push({ set, action });
      node = tree.successors[node][action];
    }
    const payoff = tree.payoff[node];
    if (payoff !== null) score = { games: score.games + 1, won: score.won + gain(payoff) };
  }

  // What the person receives.
  const gain = (payoff) => (person === 'a' ? payoff : -payoff);

  function begin(focused = true) {
    [node, choices, hinted] = [0, [], false];
    advance();
    draft(focused);
  }

  function choose(action) {
    choices.push({ set: /** @type {HiddenSet} */ (tree.set[node]), action });
    node = tree.successors[node][action];
    hinted = false;
    advance();
    draft(true);
  }

  function draft(focused) {
    const payoff = tree.payoff[node];
    const state = payoff === null ? asked(/** @type {HiddenSet} */ (tree.set[node])) : over(gain(payoff));
    const sum = { games: number(score.games), won: signed(score.won, 2) };
    table.replaceChildren(
      card(
        t('hidden.play'),
        h('div', { class: 'fields' }, h('div', {}, h('label', { for: 'hidden-you' }, t('hidden.are')), you)),
        state,
        score.games ? h('p', { class: 'hint' }, t('hidden.score', sum)) : '',
      ),
    );
    if (focused) /** @type {HTMLElement | null} */ (table.querySelector('h3'))?.focus();
  }

  // What the person knows, and the actions.
  function asked(set) {
    const button = (action, place) =>
      h('button', { type: 'button', class: 'hidden-action', onclick: () => choose(place) }, word(action));
    const hint = h(
      'button',
      { type: 'button', id: 'hidden-hint', class: 'link', 'aria-expanded': String(hinted), onclick: () => toggle() },
      t('hidden.hint'),
    );
    const toggle = () => {
      hinted = !hinted;
      draft(false);
      document.getElementById('hidden-hint')?.focus();
    };
    return [
      h('h3', { tabindex: -1 }, t('hidden.know')),
      known(name, set),
      h('div', { class: 'actions' }, set.actions.map(button)),
      h('p', {}, hint),
      hinted ? actionsTable(set) : '',
    ];
  }

  // The end: who won, and who knew what and chose which action.
  function over(won) {
    const told = won > 0 ? 'hidden.win' : won < 0 ? 'hidden.lose' : 'hidden.even';
    const said = choices.map(({ set, action }) => {
      const loss = set.player === person ? set.worth[action]?.loss : undefined;
      const cost = loss === undefined || loss < ROUNDING ? '' : ` (${t('games.cost', { cost: number(loss, 3) })})`;
      const mine = set.player === person;
      return h(
        'li',
        {},
        h('h4', {}, mine ? t('hidden.youKnew') : t('hidden.heKnew', { player: capital(set.player) })),
        known(name, set),
        h(
          'p',
          {},
          `${t(mine ? 'hidden.youChose' : 'hidden.heChose', { player: capital(set.player) })} `,
          h('strong', {}, word(set.actions[action])),
          cost,
        ),
        h('details', {}, h('summary', {}, t('hidden.optimum')), actionsTable(set, action)),
      );
    });
    return [
      h('h3', { tabindex: -1, id: 'hidden-over' }, t(told, { amount: number(Math.abs(won), 3) })),
      h(
        'div',
        { class: 'actions' },
        h('button', { type: 'button', class: 'primary', id: 'hidden-again', onclick: () => begin() }, t('hidden.again')),
      ),
      h('p', { class: 'hint' }, t('hidden.revealed')),
      h('ol', { class: 'hidden-log' }, said),
    ];
  }

  // Shows a set; the link follows.
  function look(set, arrives = false) {
    looked = set;
    Object.assign(shownGame, { name, at: `${capital(set.player)} ${set.name}` });
    game.link();
    view.replaceChildren(
      h('h3', { tabindex: -1 }, t('hidden.knows', { player: capital(set.player) })),
      known(name, set),
      set.nodes.length > 1 ? h('p', { class: 'hint' }, t('hidden.nodes', { count: number(set.nodes.length) })) : '',
      ...actionsTable(set),
    );
    whose.value = set.player;
    if (arrives) /** @type {HTMLElement | null} */ (view.querySelector('h3'))?.focus();
  }

  function list() {
    const wanted = search.value.toLowerCase();
    const sets = tree.sets[whose.value].filter(({ name }) =>
      [name, shownText(name)].some((text) => text.toLowerCase().includes(wanted)),
    );
    const entry = (set) => h('li', {}, h('button', { type: 'button', class: 'link', onclick: () => look(set, true) }, wordsOf(set.name)));
    found.replaceChildren(
      h('p', { class: 'hint' }, t('games.found', { count: number(sets.length) })),
      h('ul', { class: 'any-list' }, sets.slice(0, MOST_LISTED).map(entry)),
    );
  }

  // What the game is worth.
  function tell() {
    const { value, decimal: bounds, exact, rounded } = globalThis.packed.hidden[name];
    const [title, rules] = hiddenTitle(name);
    const { lower, upper } = bounds;
    about.replaceChildren(
      h('h3', { id: 'any-title' }, title),
      rules ? h('p', {}, rules) : '',
      h(
        'p',
        { class: 'value' },
        h('output', { id: 'hidden-value' }, exact ? fraction(exact) : signed(value, 6)),
        h('span', { class: 'unit' }, t('games.toA')),
      ),
      h(
        'p',
        { class: 'hint digits' },
        lower === upper
          ? t('games.worth', { value: decimal(lower) })
          : t('games.bounds', { lower: power(lower), upper: power(upper) }),
      ),
      h(
        'p',
        { class: 'hint' },
        t('hidden.summary', {
          nodes: number(tree.payoff.length),
          a: number(tree.sets.a.length),
          b: number(tree.sets.b.length),
        }),
        rounded ? ` ${t('hidden.rounded')}` : '',
      ),
    );
  }

  // Opens a game at the set that `at` names, such as `A J`, or at A's first.
  function open(opened, at) {
    const other = opened !== name;
    name = opened;
    tree = treeOf(name);
    tell();
    const [player, text] = [at?.[0]?.toLowerCase(), at?.slice(2)];
    const set = (player === 'a' || player === 'b') && text ? tree.named(player, text) : undefined;
    if (at && !set) notice(t('games.nowhere', { state: at }), { wrong: true, until: 'games' });
    look(set ?? tree.sets.a[0] ?? tree.sets.b[0]);
    list();
    if (!other) return;
    score = { games: 0, won: 0 };
    begin(false);
  }

  const sets = card(
    t('hidden.sets'),
    h('p', { class: 'hint' }, t('hidden.setsHint')),
    view,
    h(
      'div',
      { class: 'fields' },
      h('div', {}, h('label', { for: 'hidden-whose' }, t('hidden.whose')), whose),
      h('div', {}, h('label', { for: 'hidden-word' }, t('games.search')), search),
    ),
    found,
  );
  return { about, table, sets, open, at: () => looked && `${capital(looked.player)} ${looked.name}` };
}
