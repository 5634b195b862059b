// The page: its four sections, language, colours, and the link that says what is looked at.

import { explore } from 'page/explore.js';
import { game } from 'page/game.js';
import { h } from 'page/dom.js';
import { judge } from 'page/judge.js';
import { learn } from 'page/learn.js';
import { play } from 'page/play.js';
import { describe, rulesForm } from 'page/rules.js';
import { Cancelled } from 'page/solver.js';
import { parseLink } from 'page/state.js';
import { chooseLanguage, language, LANGUAGES, t } from 'page/strings.js';

const SECTIONS = { explore, play, judge, learn };
let listening = [];

// Builds the whole page in the language chosen.
function build() {
  document.documentElement.lang = language();
  document.title = t('title');
  for (const [type, listener] of listening) game.removeEventListener(type, listener);
  listening = [];
  const listen = (listeners) => {
    for (const [type, listener] of Object.entries(listeners)) {
      const caught = (event) => Promise.resolve(listener(event)).catch(complain);
      game.addEventListener(type, caught);
      listening.push([type, caught]);
    }
  };
  const rules = rulesForm();
  listen(rules.listeners);
  const panels = Object.entries(SECTIONS).map(([name, make]) => {
    const section = make();
    listen(section.listeners);
    return {
      name,
      ...section,
      panel: h(
        'div',
        { class: 'panel', id: `panel-${name}`, role: 'tabpanel', 'aria-labelledby': `tab-${name}` },
        section.element,
      ),
    };
  });
  const tabs = panels.map(({ name }) =>
    h(
      'button',
      { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => game.show(name) },
      t(`section.${name}`),
    ),
  );
  const turn = () => {
    for (const [index, { name, panel }] of panels.entries()) {
      const here = name === game.section;
      panel.hidden = !here;
      tabs[index].setAttribute('aria-selected', here);
      tabs[index].setAttribute('tabindex', here ? 0 : -1);
    }
  };
  const list = h('div', { class: 'tabs', role: 'tablist', 'aria-label': t('sections') }, tabs);
  list.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const names = Object.keys(SECTIONS);
    const to = (names.indexOf(game.section) + by + names.length) % names.length;
    game.show(names[to]);
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
    game.link();
    build();
  });
  const theme = h(
    'select',
    { id: 'theme', 'aria-label': t('theme') },
    ['auto', 'light', 'dark'].map((name) =>
      h('option', { value: name, selected: name === (document.documentElement.dataset.theme ?? 'auto') }, t(`theme.${name}`)),
    ),
  );
  theme.addEventListener('change', () => {
    if (theme.value === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme.value;
    game.dispatchEvent(new CustomEvent('theme'));
  });
  document.body.replaceChildren(
    h(
      'a',
      { class: 'skip', href: '#main', onclick: (event) => (event.preventDefault(), document.getElementById('main').focus()) },
      t('skip'),
    ),
    h(
      'header',
      {},
      h('div', { class: 'brand' }, h('h1', {}, t('title')), h('p', {}, t('subtitle'))),
      list,
      h('div', { class: 'settings' }, languages, theme),
    ),
    h(
      'main',
      { id: 'main', tabindex: -1 },
      rules.element,
      panels.map(({ panel }) => panel),
    ),
    h('div', { id: 'trouble', role: 'alert' }),
    h('footer', {}, h('p', {}, t('footer')), h('p', {}, t('footer.conventions'))),
  );
  listen({ section: turn });
  turn();
  for (const { start } of panels) start?.();
}

function complain(error) {
  if (error instanceof Cancelled) return;
  document.getElementById('trouble').textContent = t('trouble', { error: error.message });
  console.error(error);
}

async function follow(fragment) {
  const link = parseLink(fragment);
  if (link.language && link.language !== language() && LANGUAGES[link.language]) {
    chooseLanguage(link.language);
    build();
  }
  game.section = link.section;
  game.dispatchEvent(new CustomEvent('section'));
  if (game.rules && describe(link.game) === describe(game.rules)) game.look(link.state);
  else if (!(await game.solve(link.game, link.state)) && !game.rules) {
    const tennis = parseLink('');
    await game.solve(tennis.game, tennis.state);
    document.getElementById('trouble').textContent = t('link.wrong');
  }
}

const first = parseLink(location.hash);
chooseLanguage(first.language ?? navigator.language.slice(0, 2));
// While the page is built, the module is unpacked and compiled.
game.solver.warm();
build();
addEventListener('hashchange', () => follow(location.hash).catch(complain));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => game.dispatchEvent(new CustomEvent('theme')));
follow(location.hash).catch(complain);
