// The page: its sections, language, colours, and the link to the shown view.

import { explore } from 'page/explore.js';
import { game } from 'page/game.js';
import { games } from 'page/games.js';
import { h } from 'page/dom.js';
import { judge } from 'page/judge.js';
import { learn } from 'page/learn.js';
import { dismiss, notice } from 'page/notice.js';
import { play } from 'page/play.js';
import { puzzle } from 'page/puzzle.js';
import { rulesForm } from 'page/rules.js';
import { Cancelled } from 'page/solver.js';
import { parseLink, sameGame, SECTIONS, stateText, TENNIS } from 'page/state.js';
import { keep, kept } from 'page/store.js';
import { chooseLanguage, language, LANGUAGES, t } from 'page/strings.js';
import { openRules, welcome } from 'page/welcome.js';

const MAKERS = { welcome, play, puzzle, explore, judge, learn, games };
const TABS = SECTIONS.slice(1);
let listening = [];

// Builds the whole page in the language chosen.
function build() {
  document.documentElement.lang = language();
  document.title = t('title');
  for (const [type, listener] of listening) game.removeEventListener(type, listener);
  listening = [];
  const listen = (listeners) => {
    for (const [type, listener] of Object.entries(listeners ?? {})) {
      const caught = (event) => Promise.resolve(listener(event)).catch(complain);
      game.addEventListener(type, caught);
      listening.push([type, caught]);
    }
  };
  const rules = rulesForm();
  listen(rules.listeners);
  const panels = Object.entries(MAKERS).map(([name, make]) => {
    const section = make();
    listen(section.listeners);
    const labelled = TABS.includes(name)
      ? { role: 'tabpanel', 'aria-labelledby': `tab-${name}` }
      : { role: 'region', 'aria-label': t(`section.${name}`) };
    return { name, ...section, panel: h('div', { class: 'panel', id: `panel-${name}`, ...labelled }, section.element) };
  });
  const tabs = TABS.map((name) =>
    h(
      'button',
      { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => game.show(name, true) },
      t(`section.${name}`),
    ),
  );
  const conventions = h('p', {});
  const turn = () => {
    document.documentElement.dataset.section = game.section;
    rules.element.hidden = ['welcome', 'puzzle', 'games'].includes(game.section);
    conventions.textContent = t(game.section === 'games' ? 'footer.games' : 'footer.conventions');
    for (const { name, panel } of panels) panel.hidden = name !== game.section;
    for (const [index, name] of TABS.entries()) {
      const here = name === game.section;
      tabs[index].setAttribute('aria-selected', here);
      tabs[index].setAttribute('tabindex', here || (game.section === 'welcome' && index === 0) ? 0 : -1);
    }
  };
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': t('sections') }, tabs);
  list.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const to = (tabs.indexOf(document.activeElement) + by + TABS.length) % TABS.length;
    game.show(TABS[to]);
    tabs[to].focus();
  });
  const languages = h(
    'select',
    { id: 'language', 'aria-label': t('language') },
    Object.entries(LANGUAGES).map(([code, name]) =>
      h('option', { value: code, selected: code === language(), lang: code }, name),
    ),
  );
  languages.addEventListener('change', () => {
    chooseLanguage(languages.value);
    keep('language', languages.value);
    game.link();
    build();
    document.getElementById('language')?.focus();
  });
  const theme = h(
    'select',
    { id: 'theme', 'aria-label': t('theme') },
    ['auto', 'light', 'dark'].map((name) =>
      h('option', { value: name, selected: name === (document.documentElement.dataset.theme ?? 'auto') }, t(`theme.${name}`)),
    ),
  );
  theme.addEventListener('change', () => {
    colour(theme.value);
    keep('theme', theme.value);
    game.dispatchEvent(new CustomEvent('theme'));
  });
  document.body.replaceChildren(
    h(
      'a',
      { class: 'skip', href: '#main', onclick: (event) => (event.preventDefault(), document.getElementById('main')?.focus()) },
      t('skip'),
    ),
    h(
      'header',
      {},
      h(
        'div',
        { class: 'brand' },
        h('h1', {}, h('button', { type: 'button', id: 'home', onclick: () => game.show('welcome') }, t('title'))),
        h('p', {}, t('subtitle')),
      ),
      list,
      h(
        'div',
        { class: 'settings' },
        h('button', { type: 'button', id: 'open-rules', onclick: openRules }, t('rules.how')),
        languages,
        theme,
      ),
    ),
    h(
      'main',
      { id: 'main', tabindex: -1 },
      rules.element,
      panels.map(({ panel }) => panel),
    ),
    h('div', { id: 'notice', role: 'alert' }),
    h('footer', {}, h('p', {}, t('footer')), conventions),
  );
  listen({ section: turn, solved: () => dismiss('solved'), state: () => dismiss('shown') });
  turn();
  for (const { start } of panels) start?.();
}

function colour(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

function complain(error) {
  if (error instanceof Cancelled) return;
  notice(t('trouble', { error: error.message }), { wrong: true });
  console.error(error);
}

const anotherSection = () => new Promise((resolve) => game.addEventListener('section', resolve, { once: true }));

// Shows the view of a link, and names its mistakes.
async function follow(fragment) {
  const link = parseLink(fragment);
  if (link.language && link.language !== language()) {
    chooseLanguage(link.language);
    build();
  }
  game.following = true;
  [game.day, game.step] = [link.day, link.step];
  const { bids, as: you, against } = link;
  game.shared = bids && { rules: link.game, bids, you, start: stateText(link.state), against };
  game.result = link.result && { rules: link.game, ...link.result };
  game.any = link.any;
  try {
    game.section = link.section;
    game.dispatchEvent(new CustomEvent('section'));
    // A game of other rules is solved before Tennis, unless another section is asked for meanwhile.
    if (link.section === 'games') await Promise.race([game.opening, anotherSection()]);
    if (game.is(link.game)) {
      game.look(game.contains(link.state) ? link.state : game.start);
      if (game.shared || game.result) game.dispatchEvent(new CustomEvent('section'));
    } else if (!(await game.solve(link.game, link.state))) await instead(link.game);
  } finally {
    game.following = false;
  }
  const parts = link.wrong.map(({ said, right, most }) =>
    t(right ? 'link.part' : 'link.unknown', { said, right: most ? t('link.most', { right, most }) : right }),
  );
  if (parts.length) notice(`${parts.join(' ')} ${t('link.rest')}`, { wrong: true });
}

// A link whose game was not solved: the previous view stays, or else Tennis.
async function instead(asked) {
  if (game.solving) return;
  if (game.rules) return game.link();
  const wrong = game.refusal;
  const tennis = parseLink('');
  await game.solve(tennis.game, tennis.state);
  const { points } = asked;
  if (wrong) notice(t('link.wrong', { error: wrong.message }), { wrong: true });
  else notice(t('link.cancelled', { points: points.join(':') }), { until: 'shown' });
}

// The welcome is for first visits without a link.
const beginning = location.hash || document.documentElement.dataset.start || kept('link') || '#welcome';
const first = parseLink(beginning);
chooseLanguage(first.language ?? kept('language') ?? navigator.language.slice(0, 2));
colour(kept('theme') ?? 'auto');
game.section = first.section;
game.expected = sameGame(first.game, TENNIS) ? stateText(first.state) : null;
// While the page is built, the module is unpacked and compiled; games of other rules have a thread of their own.
if (first.section !== 'games') game.solver.warm();
build();
addEventListener('hashchange', () => follow(location.hash).catch(complain));
addEventListener('keydown', (event) => {
  // Games of any rules have other rules than Tennis.
  if (game.section === 'games') return;
  if (event.key === '?' && !/^(INPUT|TEXTAREA|SELECT)$/.test(/** @type {Element} */ (event.target).tagName) && !document.querySelector('dialog'))
    openRules();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => game.dispatchEvent(new CustomEvent('theme')));
follow(beginning).catch(complain);
