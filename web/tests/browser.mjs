// Tests of the page in a real browser: node browser.mjs PAGE PROGRAM [CHROMIUM], where PROGRAM is the native pencil-tennis.
// The native program, whose results are tested elsewhere, gives the expected results; times are printed, not judged.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';

const [file, program, executablePath = '/usr/bin/chromium'] = process.argv.slice(2);
const address = `file://${resolve(file)}`;
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const folder = mkdtempSync(join(tmpdir(), 'pencil-tennis-'));
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
// A busy machine may take minutes for what an idle one does in seconds.
const PATIENCE = 120_000;

const native = (...words) => JSON.parse(execFileSync(program, [...words, '--format', 'json'], { encoding: 'utf8' }));
const plain = (text) => text.replaceAll('−', '-');

const browser = await chromium.launch({ executablePath, args: FLAGS });
const complaints = [];

// A page at a link; every console message or network request is a complaint. Without a level it is opened by a stranger.
async function open(
  fragment,
  { width = 1280, height = 900, dark = false, context = null, level = 'optimal', at = address } = {},
) {
  const phone = width < 500;
  if (!context) {
    context = await browser.newContext({
      viewport: { width, height },
      colorScheme: dark ? 'dark' : 'light',
      acceptDownloads: true,
      hasTouch: phone,
      isMobile: phone,
    });
    const choose = (level) => (localStorage['pencil-tennis.level'] ??= JSON.stringify(level));
    if (level) await context.addInitScript(choose, level);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && complaints.push(`${fragment}: ${message.text()}`),
  );
  page.on('pageerror', (error) => complaints.push(`${fragment}: ${error.stack}`));
  page.on(
    'request',
    (request) => /^(file|blob|data):/.test(request.url()) || complaints.push(`${fragment}: fetches ${request.url()}`),
  );
  await page.goto(`${at}${fragment}`);
  return page;
}

const shown = (page, state) => page.waitForFunction((state) => document.documentElement.dataset.shown === state, state);
const value = async (page) => plain(await page.textContent('#value'));
const query = (page) => page.evaluate(() => location.hash);
const solved = (page) =>
  page.waitForFunction(() => /solved in|gelöst/.test(document.querySelector('.rules .status')?.textContent));
const noticed = (page, words) =>
  page.waitForFunction((words) => document.getElementById('notice')?.textContent.includes(words), words);

// The form of the game is folded away.
async function unfold(page) {
  await page.evaluate(() => (document.getElementById('rules-details').open = true));
}

// Makes the bid that is offered, or was filled in, and waits until it is answered: until then the form stands there, and no more.
async function makeBid(page) {
  await page.waitForSelector('#bid');
  const turns = await page.locator('.log tbody tr').count();
  await page.click('#submit-bid');
  await page.waitForFunction((turns) => document.querySelectorAll('.log tbody tr').length > turns, turns);
  await page.waitForSelector('#bid, #verdict');
}

// Plays on until a game is over, always with the bid that is offered.
async function playOn(page, turns) {
  for (let turn = 0; turn < turns && !(await page.$('#verdict')); turn++) await makeBid(page);
}

// The text that a button copies.
const clipboard = (page, button) =>
  page.evaluate(async (button) => {
    let text = null;
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (given) => (text = given) } });
    document.getElementById(button).click();
    await new Promise((resolve) => setTimeout(resolve, 50));
    return text;
  }, button);

// Gives the page the names and sources of its modules, which are joined into one script, and a function that runs those up to one
// once more, and returns what that one exports.
const nameModules = (page) =>
  page.evaluate(() => {
    const { script } = globalThis.packed;
    const sources = script.split(/^(?=const \$\w+ = \(\(\) => \{$)/m);
    const modules = sources.map((source) => [source.match(/\w+/g)[1], source]);
    const exportsOf = (name) => {
      const last = modules.findIndex(([other]) => other === name);
      return new Function(`${sources.slice(0, last + 1).join('')}return $${name};`)();
    };
    Object.assign(globalThis, { modules, exportsOf });
  });

async function explored(state, options) {
  const page = await open(`#explore?state=${state}`, options);
  await shown(page, state);
  return page;
}

// A copy of the page that knows where it is found.
function addressed() {
  const path = join(folder, 'addressed.html');
  execFileSync(program, ['explore', '--url', 'https://example.org/tennis.html', '--no-open', '-o', path], { stdio: 'ignore' });
  return `file://${path}`;
}

// A written game as the command line reads it.
const replayed = (text) =>
  JSON.parse(execFileSync(program, ['replay', '-', '--format', 'json'], { input: text, encoding: 'utf8' }));

const pasted = (page, text) =>
  page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

const tests = {
  async 'a stranger, by keys alone: from the door to a first win, and a shared game that opens elsewhere'() {
    const page = await open('', { level: null });
    await page.waitForSelector('#enter-play', { state: 'attached' });
    assert.equal(await page.inputValue('.ladder input:checked'), 'quantal:1', 'the usual opponent');
    const tabTo = async (selector) => {
      for (let tabs = 0; !(await page.evaluate((selector) => document.activeElement.matches(selector), selector)); tabs++) {
        assert.ok(tabs < 25, `${selector} is reached by Tab`);
        await page.keyboard.press('Tab');
      }
    };
    await tabTo('#more summary');
    await page.keyboard.press('Enter');
    await tabTo('.ladder input');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'enter-play');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement.id === 'bid');
    assert.match(await page.textContent('#score'), /^You 0 · Novice 0 · after 0 games$/);
    assert.match(await page.textContent('.revealed'), /what your bid has cost you, and why/);
    // Everything in the first turn: its cost is told, with the reason, and no more bids are asked for.
    await page.keyboard.type('50');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#verdict');
    const { loss } = native('show', '50:50@0').bids.a.at(-1);
    assert.match(await page.textContent('.revealed'), new RegExp(`That bid cost you ${Number(loss.toFixed(2))} on average`));
    assert.match(await page.textContent('.revealed'), /nothing to choose in \d+ turns?\.$/);
    await page.waitForSelector('.why[open] .hint:has-text("50 hits the ball in 100 % of all cases. 9 hits it in")');
    // A third of what is left wins more than half of the games against a novice; 40 losses in a row are no accident.
    for (let game = 0; !(await page.$('#stronger')); game++) {
      assert.ok(game < 40, 'a first win');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#bid');
      while (!(await page.$('#verdict'))) {
        const most = Number(await page.getAttribute('#bid', 'max'));
        assert.ok(most > 1, 'a bid without a choice is not asked for');
        const turns = await page.locator('.log tbody tr').count();
        await page.waitForFunction(() => document.activeElement.id === 'bid');
        await page.keyboard.type(String(Math.ceil(most / 4)));
        await page.keyboard.press('Enter');
        await page.waitForFunction((turns) => document.querySelectorAll('.log tbody tr').length > turns, turns);
        await page.waitForSelector('#bid, #verdict');
      }
      assert.equal(await page.locator('.why[open]').count(), 0, 'only the first game explains unasked');
    }
    assert.match(await page.textContent('#verdict'), /You win by \d points?\./);
    assert.equal(await page.textContent('#stronger'), 'Now against the amateur');
    const turns = await page.locator('.log tbody tr').count();
    const text = await clipboard(page, 'share-game');
    assert.ok(!/file:|https?:/.test(text), text);
    assert.match(text, /^I won by \d points? at pencil tennis, against the novice\.$/m);
    // The command line reads the written game.
    assert.equal(replayed(await page.inputValue('#record')).turns.length, turns);
    const friend = await open('#explore?lang=de', { width: 390, height: 844, dark: true, level: null });
    await shown(friend, '50:50@0');
    await pasted(friend, text);
    await friend.waitForSelector('#panel-play #replay:not([hidden])');
    assert.equal(await friend.getAttribute('#replay-turn', 'max'), String(turns));
    await friend.context().close();
    await page.evaluate(() => document.getElementById('stronger').focus());
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /Amateur 0/.test(document.getElementById('score').textContent));
    await page.context().close();
  },

  async 'the first screen is a game: each bid is a tap, its cost is told in words, and the end can be shared'() {
    for (const [width, height, lang] of [
      [360, 640, 'en'],
      [1280, 900, 'de'],
    ]) {
      const page = await open(`#welcome?lang=${lang}`, { width, height, level: null });
      await page.waitForSelector('.tap');
      // Before the first bid there is no form and no setting, and court and bids are in sight.
      const seen = await page.$$eval(
        'main :is(form, select, input, code)',
        (parts) => parts.filter((part) => part.checkVisibility()).length,
      );
      assert.equal(seen, 0);
      const { y, height: tall } = await page.locator('.tap-row').boundingBox();
      assert.ok(y + tall < height, `the bids end at ${y + tall}`);
      assert.equal(await page.locator('.tap').count(), 10);
      const bids = [];
      while (!(await page.$('#first-verdict'))) {
        const turn = bids.length;
        const most = await page.locator('.tap').count();
        // A third of what is left.
        const bid = Math.max(1, Math.floor(most / 3));
        const before = await page.getAttribute('.first-game', 'data-turns');
        bids.push(bid);
        await page.click(`.tap[data-bid="${bid}"]`);
        await page.waitForFunction((before) => document.querySelector('.first-game').dataset.turns !== before, before);
        const now = await page.textContent('.first-said');
        assert.match(
          now,
          lang === 'en' ? /cost you (nothing|.*(point|points|almost nothing))\.$/ : /(nichts|Punktes|Punkte|Punkt) gekostet\.$/,
          now,
        );
        if (turn === 0) {
          // 3 of 10 at the start: what it costs is as the native program says.
          const { loss } = native('show', '10:10@0').bids.a.find((entry) => entry.bid === 3);
          assert.equal(loss, 1);
          assert.match(now, lang === 'en' ? /cost you 1 point\.$/ : /1 Punkt gekostet\.$/);
          // In another language the game goes on.
          await page.selectOption('#language', lang === 'en' ? 'de' : 'en');
          await page.waitForSelector('.tap');
          assert.equal(await page.locator('.tap').count(), 7);
          await page.selectOption('#language', lang);
          await page.waitForSelector('.tap');
        }
      }
      const [picture] = await Promise.all([page.waitForEvent('download'), page.click('#first-picture')]);
      assert.equal(picture.suggestedFilename(), 'tennis.png');
      const bytes = readFileSync(await picture.path());
      assert.deepEqual([bytes.toString('latin1', 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)], ['PNG', 1200, 630]);
      if (process.env.SCREENSHOTS) writeFileSync(join(process.env.SCREENSHOTS, `result-${lang}.png`), bytes);
      const text = await clipboard(page, 'first-share');
      const [, symbols, , code] = text.split('\n');
      assert.match(symbols, /^🔺(🟢|🟨|🔺)*$/u);
      const played = /bids=(\S+)/.exec(code)[1].split('.');
      assert.deepEqual(
        played.slice(0, bids.length).map((turn) => Number(turn.split('-')[0])),
        bids,
      );
      const friend = await open(code, { level: null });
      await friend.waitForSelector('#replay:not([hidden])');
      assert.equal(await friend.getAttribute('#replay-turn', 'max'), String(played.length));
      await friend.context().close();
      await page.click('#first-again');
      assert.equal(await page.locator('.tap').count(), 10);
      await page.context().close();
    }
  },

  async 'who comes by a link chooses, too, and is asked once'() {
    const page = await open('#play?points=8:8', { level: null });
    await page.click('#panel-play .ladder label:has-text("Strategist")');
    await page.click('#begin-game');
    await page.waitForFunction(() => document.activeElement.id === 'bid');
    assert.match(await page.textContent('#score'), /Strategist 0/);
    const again = await open('#play?points=6:6', { context: page.context() });
    await again.waitForSelector('#bid');
    assert.equal(await again.inputValue('#opponent'), 'lookahead:4:uniform');
    await page.context().close();
  },

  async 'the opponent and the score are in sight on phones, and title and buttons keep their place'() {
    for (const [width, height] of [
      [390, 844],
      [320, 568],
    ]) {
      const page = await open('', { width, height, level: 'quantal:1' });
      await page.waitForSelector('#enter-play', { state: 'attached' });
      const places = [];
      for (const section of ['welcome', 'play', 'puzzle', 'explore', 'judge', 'learn']) {
        if (section !== 'welcome') await page.tap(`#tab-${section}`);
        await page.waitForSelector(`#panel-${section}:not([hidden])`);
        const place = (selector) => page.locator(selector).boundingBox();
        places.push(JSON.stringify([await place('#home'), await place('#open-rules'), await place('#tab-learn')]));
        assert.equal(await page.evaluate(() => scrollY), 0, `${section} begins at its top`);
        if (section !== 'play') continue;
        await page.waitForSelector('#bid');
        const { y, height: high } = await place('#score');
        assert.ok(y + high < height, `the score ends at ${y + high}`);
        assert.match(await page.textContent('#score'), /Amateur 0/);
      }
      assert.equal(new Set(places).size, 1, places.join(' '));
      await page.context().close();
    }
  },

  async 'between two people the score keeps its side'() {
    const page = await open('#play?points=3:3');
    await page.waitForSelector('#bid');
    await page.selectOption('#opponent', 'person');
    await page.waitForFunction(() => document.getElementById('score').textContent === 'A 0 · B 0 · after 0 games');
    // By hand: A bids 2, then the only 1; B bids 3 and has nothing left. The ball comes to A's field, and back over the net.
    await page.fill('#bid', '2');
    await page.click('#submit-bid');
    await page.click('#ready');
    assert.equal(await page.textContent('#score'), 'A 0 · B 0 · after 0 games');
    await page.fill('#bid', '3');
    await page.click('#submit-bid');
    await page.waitForSelector('#verdict');
    assert.equal(await page.locator('.log tbody tr').count(), 2);
    assert.equal(await page.textContent('#score'), 'A 1 · B 0 · after 1 game');
    await page.context().close();
  },

  async 'without storage every section works, and what would be kept is kept for the visit'() {
    for (const lang of ['en', 'de']) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      await context.addInitScript(() => {
        const refuse = () => {
          throw new DOMException('no storage here', 'SecurityError');
        };
        for (const name of ['getItem', 'setItem', 'removeItem']) Storage.prototype[name] = refuse;
      });
      for (const section of ['welcome', 'play', 'puzzle', 'explore', 'judge', 'learn', 'games']) {
        const page = await open(`#${section}?points=8:8&lang=${lang}`, { context });
        await page.waitForSelector(`#panel-${section}:not([hidden])`);
        if (section === 'puzzle') {
          await page.waitForSelector('#submit-puzzle-bid');
          await page.click('#submit-puzzle-bid');
          await page.waitForFunction(() => document.activeElement.id === 'puzzle-verdict');
          assert.match(await page.textContent('#puzzle-verdict'), lang === 'en' ? /^1 costs / : /^1 kostet im Mittel /);
          // Another section, and back: the bid stands.
          await page.click('#tab-learn');
          await page.click('#tab-puzzle');
          await page.waitForSelector('#puzzle-verdict');
          assert.match(
            await page.textContent('#panel-puzzle'),
            lang === 'en' ? /in a row: 1 day\./ : /in Folge gespielt: 1 Tag\./i,
          );
        }
        if (section === 'play') {
          await page.click('#begin-game');
          await playOn(page, 16);
          await page.waitForSelector('#verdict');
          await page.click('#tab-judge');
          await page.waitForSelector('#mine-sum');
        }
        if (section === 'games') await page.waitForSelector('#any-value');
        if (section === 'explore') await shown(page, '8:8@0');
        assert.doesNotMatch(await page.textContent('main'), /NaN|undefined|null/, `${section}, ${lang}`);
        await page.close();
      }
      await context.close();
    }
  },

  async 'the bid that was made is offered again, and the seal is folded away'() {
    const page = await open('#play?points=9:9');
    await page.waitForSelector('#bid');
    assert.equal(await page.locator('.commitment code').isVisible(), false);
    await page.fill('#bid', '3');
    await makeBid(page);
    assert.equal(await page.inputValue('#bid'), '3');
    const left = async () => Number(await page.getAttribute('#bid', 'max'));
    while ((await page.$('#bid')) && (await left()) >= 3) await makeBid(page);
    if (await page.$('#bid')) assert.equal(Number(await page.inputValue('#bid')), await left(), 'as much of it as is left');
    await page.context().close();
  },

  async 'a matrix as a table of numbers is a game, and a wrong file is named'() {
    const page = await open('#games');
    await page.waitForSelector('#any-value');
    // By hand: without a saddle point the value is (3·3 − 1·2) / (3 + 3 − 1 − 2) = 7/3.
    const tables = {
      'plain.csv': '3,1\n2,3\n',
      'named.csv': ';left;right\n"up";3;1\ndown;2;3\n',
      'comma.csv': '3,0;1\n2;3,0\n',
      'tabs.tsv': '3e0\t10e-1\n4/2\t+3\n',
    };
    for (const [name, text] of Object.entries(tables)) {
      await page.setInputFiles('#any-file', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.waitForFunction((name) => document.querySelector('#any-title').textContent === name, name);
      assert.match(plain(await page.textContent('.any-last ~ #any-state .digits, #any-state .digits')), /7\/3|2\.33333/, name);
      assert.equal((await page.textContent('#any-value')).trim(), '+2.333333', name);
      // The editor has the table of the file, too.
      await page.waitForFunction(() => document.getElementById('matrix-value')?.textContent === '+2.333333');
      const fields = await page.$$eval('.editor input', (inputs) => inputs.map((input) => Number(eval(input.value))));
      assert.deepEqual(fields, [3, 1, 2, 3], name);
    }
    assert.deepEqual(await page.$$eval('.editor th', (names) => names.map((name) => name.textContent)), ['1', '2', '1', '2']);
    // One that is too large for the editor is a game, and no more.
    const long = { name: 'long.csv', mimeType: 'text/csv', buffer: Buffer.from('1,2\n'.repeat(25)) };
    await page.setInputFiles('#any-file', long);
    await page.waitForFunction(() => document.querySelector('#any-title').textContent === 'long.csv');
    assert.equal(await page.locator('.editor input').count(), 4);
    const wrong = {
      'short.csv': ['1,2\n3\n', /line 2 has 1 numbers; expected 2/],
      'word.csv': ['1,2\n3,x\n', /line 2: “x” is no number/],
    };
    for (const [name, [text, words]] of Object.entries(wrong)) {
      await page.setInputFiles('#any-file', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      await page.waitForFunction(
        (name) => document.querySelector('#panel-games .status.wrong')?.textContent.startsWith(`${name}: `),
        name,
      );
      assert.match(await page.textContent('#panel-games .status.wrong'), words);
    }
    await page.context().close();
    // The file comes while the game is being solved, which takes about a second: it is not forgotten.
    const judge = await open('#judge?points=100:100&lang=de');
    await judge.waitForSelector('#panel-judge input[type=file]');
    const bytes = Buffer.from([0xff, 0xfe, 0x2c, 0x31, 0x0a]);
    await judge.setInputFiles('#panel-judge input[type=file]', { name: 'bytes.csv', mimeType: 'text/csv', buffer: bytes });
    await judge.waitForSelector('#panel-judge .status.wrong');
    const said = await judge.textContent('#panel-judge .status.wrong');
    assert.match(said, /^bytes\.csv: /);
    assert.doesNotMatch(said, /CSV|utf-8|error/, said);
    await judge.context().close();
  },

  async 'a matrix of one’s own is solved as it is typed or pasted'() {
    const page = await open('#games?lang=en');
    const worth = (text) => page.waitForFunction((text) => document.getElementById('matrix-value')?.textContent === text, text);
    const shares = () => page.$$eval('#matrix-result .any-bar .hint', (parts) => parts.map((part) => part.textContent));
    // By hand: rock wins double, so that both show paper half of the time.
    await worth('0');
    assert.deepEqual(await shares(), ['50 %', '25 %', '25 %', '50 %', '25 %', '25 %']);
    // The likeliest come first, as in all games; the rows stay where they are.
    const names = (parts) => page.$$eval(parts, (parts) => parts.map((part) => part.textContent));
    assert.deepEqual(await names('#matrix-result .any-bar span:first-child'), ['2', '1', '3', '2', '1', '3']);
    assert.deepEqual(await names('.editor tbody th'), ['1', '2', '3']);
    await page.click('#fewer-rows');
    await page.click('#fewer-columns');
    for (const [place, text] of ['3', '1', '2', '3'].entries()) await page.locator('.editor input').nth(place).fill(text);
    // By hand, as above: 7/3, where A mixes 1/3 to 2/3, and so does B, the other way round.
    await worth('+2.333333');
    assert.deepEqual(await shares(), ['66.7 %', '33.3 %', '66.7 %', '33.3 %']);
    await page.locator('.editor input').nth(0).fill('x');
    await page.waitForSelector('#matrix-editor .status.wrong');
    assert.equal(await page.locator('.editor input').nth(0).getAttribute('aria-invalid'), 'true');
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', ';left;right\nup;1/2;-1\ndown;-1;1/2\nstay;-2;-2');
      const field = document.querySelector('.editor input');
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await worth('−0.25');
    assert.deepEqual(await shares(), ['50 %', '50 %', '0 %', '50 %', '50 %']);
    assert.equal(await page.locator('#matrix-editor .status.wrong').count(), 0);
    await page.context().close();
  },

  async 'one mistake in a link is one sentence'() {
    for (const [lang, most] of [
      ['en', 'at most'],
      ['de', 'höchstens'],
    ]) {
      const page = await open(`#explore?points=500:500&state=500:500@0&lang=${lang}`);
      await noticed(page, 'points=500:500');
      const said = await page.textContent('#notice');
      assert.doesNotMatch(said, /state=/);
      assert.ok(said.includes(`${most} 400.`), said);
      await page.context().close();
      const field = await open(`#explore?field=21&lang=${lang}`);
      await noticed(field, `${most} 20.`);
      await field.context().close();
    }
  },

  async 'in print a map stays with its key, and the last page has more than a line'() {
    for (const lang of ['en', 'de']) {
      const page = await open(`#explore?lang=${lang}`);
      await shown(page, '50:50@0');
      await page.waitForSelector('.ends-table');
      const pages = async () => (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g).length;
      assert.equal(await pages(), 3);
      // The map and all about it are on the first sheet, which is 1123 pixels high.
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 794, height: 1123 });
      const { y, height } = await page.locator('.outline-key').first().boundingBox();
      assert.ok(y + height < 1050, `the key ends at ${y + height}`);
      await page.emulateMedia({ media: null });
      await page.click('#tab-games');
      await page.waitForSelector('#matrix-value');
      await page.waitForSelector('.any-list li');
      assert.equal(await pages(), 3);
      await page.click('#gallery [data-game=kuhn]');
      await page.waitForSelector('#hidden-value:visible');
      assert.equal(await pages(), 2);
      await page.context().close();
    }
  },

  async 'states are found by the words that are shown'() {
    const page = await open('#games?game=snowball&lang=de');
    const found = () => page.locator('.any-list:visible button').allTextContents();
    await page.waitForSelector('.any-list li');
    for (const word of ['versteckt', 'Verst', 'hidden']) {
      await page.fill('#any-word', '?');
      await page.waitForFunction(() => document.querySelectorAll('.any-list li').length === 0);
      await page.fill('#any-word', word);
      await page.waitForSelector('.any-list li');
      for (const text of await found()) assert.match(text, /versteckt/, word);
    }
    await page.fill('#any-word', '');
    await page.evaluate(() => (location.hash = '#games?game=inspections&lang=de'));
    await page.waitForFunction(() => document.querySelector('.any-list li')?.textContent.includes('10 Tage'));
    await page.fill('#any-word', '10 Tage, 3 Kontr');
    await page.waitForFunction(() => document.querySelectorAll('.any-list li').length === 1);
    for (const [lang, word] of [
      ['de', 'J PASSEN SETZEN'],
      ['de', 'J pass bet'],
      ['en', 'J pass bet'],
    ]) {
      const kuhn = await open(`#games?game=kuhn&lang=${lang}`);
      await kuhn.fill('#hidden-word', word);
      assert.deepEqual(await kuhn.locator('.any-list:visible button').allTextContents(), [
        lang === 'de' ? 'J passen setzen' : 'J pass bet',
      ]);
      await kuhn.context().close();
    }
    await page.context().close();
  },

  async 'files are chosen by a button in the language of the page, by keys too'() {
    for (const [lang, choose, record] of [
      ['en', 'Choose a file', 'Open a file'],
      ['de', 'Datei wählen', 'Datei öffnen'],
    ]) {
      const page = await open(`#games?lang=${lang}`);
      // From here on choosers are told, and not opened.
      page.on('filechooser', () => {});
      await page.waitForSelector('#any-value');
      for (const [section, ids, text] of [
        ['games', ['any-file', 'any-judged'], choose],
        ['judge', ['policy-2'], choose],
        ['play', ['record-file'], record],
      ]) {
        await page.click(`#tab-${section}`);
        assert.equal(await page.locator(`#panel-${section} input[type=file]:not(.file > .hidden)`).count(), 0);
        for (const id of ids) {
          assert.equal(await page.textContent(`.file[for=${id}]`), text);
          await page.focus(`#${id}`);
          await page.keyboard.press('Shift+Tab');
          await page.keyboard.press('Tab');
          const outline = await page.$eval(`.file[for=${id}]`, (button) => getComputedStyle(button).outlineStyle);
          assert.equal(outline, 'solid', `${id} shows the focus`);
          await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
        }
      }
      await page.context().close();
    }
  },

  async 'the header has no line for the settings alone, and a chosen game’s name breaks no word'() {
    for (const lang of ['en', 'de'])
      for (const width of [768, 1000, 1100, 1200, 1300, 1440]) {
        const page = await open(`#games?game=inspections&lang=${lang}`, { width });
        await page.waitForSelector('.thumb[aria-pressed=true]');
        const box = (selector) => page.locator(selector).boundingBox();
        const [brand, settings] = [await box('.brand'), await box('.settings')];
        assert.ok(settings.y < brand.y + brand.height, `${lang} ${width}: the settings are beside the title`);
        const { height } = await box('[data-game=inspections] span');
        assert.ok(height < 20, `${lang} ${width}: the name is ${height} high`);
        await page.context().close();
      }
  },

  async 'what is typed while a game is solved stays, and nobody bids in the game before'() {
    const page = await open('#explore?points=150:150');
    await page.waitForFunction(() => document.querySelector('.rules progress')?.value > 0);
    await unfold(page);
    await page.fill('#rules-pointsA', '31');
    await page.selectOption('#rules-motion', 'step');
    await shown(page, '150:150@0');
    assert.equal(await page.inputValue('#rules-pointsA'), '31');
    assert.equal(await page.inputValue('#rules-motion'), 'step');
    await page.context().close();
    const play = await open('#play?points=6:6');
    await play.waitForSelector('#bid');
    await unfold(play);
    for (const player of ['A', 'B']) await play.fill(`#rules-points${player}`, '400');
    await play.click('.rules-form button[type=submit]');
    // Seen first: its bar may still be that of the game before.
    await play.waitForSelector('#play-solving');
    await play.waitForFunction(() => document.querySelector('#play-solving progress').value > 0);
    assert.equal(await play.$eval('#panel-play .table-top', (board) => board.inert), true);
    await play.click('#play-solving button');
    await play.waitForSelector('#play-solving', { state: 'hidden' });
    await makeBid(play);
    await play.context().close();
  },

  async 'the first view, and its time'() {
    for (const attempt of ['cold', 'warm']) {
      const begin = performance.now();
      const since = () => Math.round(performance.now() - begin);
      const page = await open('#explore?state=50:50@0');
      await page.waitForSelector('#value');
      const first = since();
      assert.equal(await page.locator('.bidchart.of-a .probability').count(), 9, 'the opening has nine bids');
      await shown(page, '50:50@0');
      console.log(`     first value, ${attempt}: ${first} ms, solved and proved: ${since()} ms`);
      assert.equal(await page.locator('#first-note').count(), 0, 'what came with the page has been replaced');
      assert.equal(await value(page), '0');
      assert.equal(await page.locator('.bidchart.of-a .probability').count(), 9, 'the opening has nine bids');
      await page.context().close();
    }
  },

  async 'the example of the article: -1/5, two bids each'() {
    const page = await explored('4:3@-2');
    assert.equal(await value(page), '-0.2');
    assert.equal(plain(await page.textContent('#exact')), '-1/5');
    // In words, and the state as a small court with its meaning.
    assert.match(await page.textContent('.verdict'), /^B is ahead: a fifth of a point for B\./);
    const sign = '.value .state-sign';
    assert.equal(await page.getAttribute(sign, 'title'), 'A has 4 points, B has 3, and the ball lies on A’s side, field −2.');
    assert.equal(await page.locator(`${sign} rect`).count(), 5);
    const [ball, first] = await page.$$eval(`${sign} :is(circle, rect)`, (parts) => {
      const middle = (part) => part.getBoundingClientRect().left + part.getBoundingClientRect().width / 2;
      return [middle(parts.at(-1)), middle(parts[0])].map(Math.round);
    });
    assert.equal(ball, first, 'the ball lies on the first field');
    assert.match(await page.getAttribute('#panel-explore abbr', 'title'), /^The matrix of this one turn/);
    const bars = (player) =>
      page.$$eval(`.bidchart.of-${player} .probability`, (bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    for (const [player, ratio] of [
      ['a', 2 / 3],
      ['b', 3 / 2],
    ]) {
      const [one, other, ...more] = await bars(player);
      assert.equal(more.length, 0);
      assert.ok(Math.abs(one / other - ratio) < 1e-9, `bars of ${player}: ${one} to ${other}`);
    }
    await page.click('text=All bids as a table');
    const rows = await page.$$eval('.bid-table tbody tr', (rows) =>
      rows.map((row) => [...row.cells].slice(0, 3).map((cell) => cell.textContent)),
    );
    assert.deepEqual(rows, [
      ['A 1', '0 %', ''],
      ['A 2', '40 %', '2/5'],
      ['A 3', '60 %', '3/5'],
      ['A 4', '0 %', ''],
      ['B 1', '60 %', '3/5'],
      ['B 2', '0 %', ''],
      ['B 3', '40 %', '2/5'],
    ]);
    const matrix = await page.$$eval('.matrix tbody tr', (rows) =>
      rows.map((row) => [...row.querySelectorAll('button')].map((cell) => parseInt(cell.textContent.replace('−', '-'), 10))),
    );
    assert.deepEqual(matrix, [
      [1, -2, -2],
      [1, 1, -2],
      [-1, 1, 1],
      [-1, -1, 1],
    ]);
    const [lower, upper] = (await page.textContent('.bounds .digits')).split(/≤.*≤/).map((text) => plain(text).trim());
    const expected = native('show', '4:3@-2').decimal;
    assert.deepEqual([lower, upper], [expected.lower, expected.upper]);
    await page.context().close();
  },

  async 'keys and clicks move, and the link follows'() {
    const page = await explored('4:3@-2');
    await page.focus('.plane');
    await page.keyboard.press('ArrowRight');
    await shown(page, '4:4@-2');
    await page.keyboard.press('Shift+ArrowUp');
    await shown(page, '9:4@-2');
    await page.locator('.court [role=radio]').last().click();
    await shown(page, '9:4@2');
    await page.keyboard.press('Tab');
    await page.locator('.court [aria-checked=true]').focus();
    await page.keyboard.press('ArrowLeft');
    await shown(page, '9:4@1');
    assert.match(await query(page), /state=9:4@1/);
    const expected = native('show', '9:4@1');
    assert.ok(Math.abs(Number(await value(page)) - expected.value) < 1e-9);
    const again = await open(await query(page));
    await shown(again, '9:4@1');
    assert.equal(await value(again), await value(page));
    await again.context().close();
    await page.context().close();
  },

  async 'as many digits as one likes'() {
    const page = await explored('50:50@-1');
    await page.fill('#digits', '60');
    await page.click('.digits-form button[type=submit]');
    await page.waitForFunction(() => /certain, /.test(document.querySelector('.more-digits output')?.textContent));
    const text = plain(await page.textContent('.more-digits output'));
    assert.ok(text.startsWith(`${native('show', '50:50@-1', '--digits', '60').digits.lower} (`), text);
    console.log(`     60 digits at 50:50@-1: ${/([\d.]+) s\)/.exec(text)[1]} s`);
    await page.context().close();
  },

  async 'other rules, solved again, with time'() {
    const page = await explored('50:50@0');
    await unfold(page);
    const solve = async () => {
      await page.click('.rules-form button[type=submit]');
      await page.waitForFunction(() => document.querySelector('.rules .working')?.hidden);
      await solved(page);
      return /solved in ([\d,]+) ms/.exec(await page.textContent('.rules .status'))[1];
    };
    const times = [];
    for (let attempt = 0; attempt < 5; attempt++) times.push(await solve());
    console.log(`     50 points solved again in ${times.join(', ')} ms`);
    await page.selectOption('#rules-known', 'footsteps');
    await page.fill('#rules-pointsA', '20');
    await page.fill('#rules-pointsB', '18');
    await solve();
    await shown(page, '20:18@0');
    const link = (await query(page)).replace('state=20:18@0', 'state=12:11@1');
    await page.context().close();
    const other = await open(link);
    await shown(other, '12:11@1');
    const expected = native('show', '12:11@1', '--motion', 'step', '--scoring', '1,0,0,0,-1');
    assert.ok(Math.abs(Number(await value(other)) - expected.value) < 1e-9);
    await other.context().close();
    const wrong = await open('#explore?scoring=nonsense');
    await noticed(wrong, '`nonsense` is not a scoring');
    await shown(wrong, '50:50@0');
    await wrong.context().close();
  },

  async 'a long solve is shown and can be cancelled, and the game before is still there'() {
    const page = await explored('20:20@-1');
    await unfold(page);
    await page.fill('#rules-pointsA', '400');
    await page.fill('#rules-pointsB', '400');
    await page.click('.rules-form button[type=submit]');
    await page.waitForFunction(() => document.querySelector('.rules progress')?.value > 0);
    await page.focus('.plane');
    await page.keyboard.press('ArrowLeft');
    await shown(page, '20:19@-1');
    await page.click('#cancel-solve');
    await page.waitForFunction(() => document.querySelector('.rules .working')?.hidden);
    await page.focus('.plane');
    await page.keyboard.press('ArrowDown');
    await shown(page, '19:19@-1');
    assert.match(await query(page), /points=50:50/);
    await page.context().close();
  },

  async 'a link to a game that is not wanted, or cannot be, leads to Tennis, and says so until something else is looked at'() {
    const page = await open('#explore?points=400:400');
    await page.waitForFunction(() => document.querySelector('.rules progress')?.value > 0);
    await page.click('#cancel-solve');
    await shown(page, '50:50@0');
    await noticed(page, 'Solving 400:400 points was cancelled.');
    assert.equal(await page.locator('#notice.wrong').count(), 0);
    await page.click('#points-a');
    await page.waitForFunction(() => !document.getElementById('notice')?.textContent);
    await page.context().close();
    const other = await open('#explore?scoring=3,x&lang=de');
    await shown(other, '50:50@0');
    await noticed(other, '„3,x“ ist keine Wertung');
    await other.click('#notice button');
    assert.equal(await other.textContent('#notice'), '');
    await other.context().close();
  },

  async 'links with a true minus are followed, and what a link cannot mean is said'() {
    const page = await open('#explore?state=4:3@−2');
    await shown(page, '4:3@-2');
    assert.equal(await value(page), '-0.2');
    assert.equal(await page.textContent('#notice'), '');
    await page.context().close();
    for (const [link, said] of [
      ['#explore?state=foo', 'state=foo'],
      ['#explore?points=abc', 'points=abc'],
      ['#explore?field=0', 'field=0'],
      ['#explore?motion=fly', 'motion=fly'],
      ['#nowhere', '#nowhere'],
      ['#explore?colour=red', 'colour=red'],
      ['#explore?state=99:99@9', 'state=99:99@9'],
      ['#explore?points=9999:3', 'points=9999:3'],
      ['#play?bids=99-99&state=4:3@-2', 'The bids in the link cannot be played: A cannot bid 99'],
    ]) {
      const page = await open(link);
      await noticed(page, said);
      if (!link.startsWith('#play')) await shown(page, '50:50@0');
      await page.context().close();
    }
  },

  async 'Back goes back in the page'() {
    const page = await explored('4:3@-2');
    await page.click('#tab-learn');
    await page.waitForSelector('#panel-learn:not([hidden]) .lesson-matrix');
    await page.click('#tab-explore');
    await page.locator('.court [role=radio]').last().click();
    await shown(page, '4:3@2');
    await page.goBack();
    await shown(page, '4:3@-2');
    await page.goBack();
    await page.waitForSelector('#panel-learn:not([hidden])');
    await page.goForward();
    await page.waitForSelector('#panel-explore:not([hidden])');
    await shown(page, '4:3@-2');
    await page.context().close();
  },

  async 'the door: the result, the rules, the way in; afterwards where one left'() {
    const page = await open('');
    assert.equal(await page.textContent('.result'), 'Open with an odd number: 1, 3, 5, 7 or 9.');
    const start = native('show', '50:50@0').a;
    const odd = start.filter(({ bid }) => bid % 2).reduce((sum, { probability }) => sum + probability, 0);
    assert.match(await page.textContent('.lead'), new RegExp(`${Math.floor(100 * odd)} games out of 100`));
    assert.equal(await page.locator('#panel-welcome .rule').count(), 4);
    await solved(page);
    await page.click('#more summary');
    await page.focus('#enter-play');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#bid');
    // The rules are one key or one press away.
    await page.focus('#submit-bid');
    await page.keyboard.press('?');
    assert.equal(await page.locator('dialog .rule').count(), 4);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    await page.click('#open-rules');
    assert.equal(await page.locator('#rules-differ').count(), 0);
    await page.click('dialog button');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    const footsteps = await open('#explore?points=6:6&motion=step&scoring=1,0,0,0,-1&lang=en');
    await shown(footsteps, '6:6@0');
    await footsteps.click('#open-rules');
    assert.match(await footsteps.textContent('#rules-differ'), /has others: Footsteps/);
    await footsteps.context().close();
    const again = await open('', { context: page.context() });
    await again.waitForSelector('#bid');
    assert.match(await query(again), /^#play/);
    await page.context().close();
  },

  async 'scorings by name, and as numbers last'() {
    const page = await explored('50:50@0');
    assert.equal(await page.isVisible('.rules-form'), false, 'the form is folded away');
    await page.click('#rules-details summary');
    for (const name of ['A', 'B']) await page.fill(`#rules-points${name}`, '6');
    await page.selectOption('#rules-scoring', 'win-loss');
    assert.equal(await page.inputValue('#rules-known'), 'winLoss');
    await page.selectOption('#rules-scoring', 'own');
    await page.fill('#rules-outByA', '1');
    await page.fill('#rules-liesWithB', '1/2');
    await page.fill('#rules-liesWithA', '−1/2');
    await page.fill('#rules-outByB', '-1');
    await page.click('.rules-form button[type=submit]');
    await shown(page, '6:6@0');
    assert.match(await query(page), /scoring=1,1\/2,0,-1\/2,-1/);
    await page.fill('#rules-outByB', 'x');
    await page.click('.rules-form button[type=submit]');
    await page.waitForSelector('.rules .status.wrong');
    assert.match(await page.textContent('.rules .status'), /`x` is not a payoff/);
    await page.context().close();
  },

  async 'a game is not lost unasked'() {
    const page = await open('#play?points=20:20');
    await playOn(page, 2);
    const turns = () => page.locator('.log tbody tr').count();
    await page.selectOption('#language', 'de');
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    assert.equal(await turns(), 2);
    await page.waitForSelector('#bid');
    await unfold(page);
    const asked = async (answer) => {
      await page.waitForSelector('dialog');
      assert.match(await page.textContent('dialog'), /Züge bisher: 2/);
      await page.click(`dialog button[value="${answer}"]`);
    };
    await page.fill('#rules-pointsA', '7');
    await page.click('.rules-form button[type=submit]');
    await asked('');
    await page.selectOption('#opponent', 'uniform');
    await asked('');
    // The answer arrives when the dialog has closed.
    await page.waitForFunction(() => document.getElementById('opponent').value === 'optimal');
    await page.fill('#record', '0 30 30 0\n1 5 10 25 20 -1');
    await page.click('#read-record');
    await asked('');
    assert.equal(await turns(), 2);
    assert.match(await query(page), /points=20:20/);
    // It is still there after the page was closed.
    const again = await open('', { context: page.context() });
    await again.waitForSelector('#bid');
    assert.equal(await again.locator('.log tbody tr').count(), 2);
    await again.close();
    await page.click('#read-record');
    await asked('yes');
    await page.waitForFunction(() => document.body.textContent.includes('1 Zug'));
    assert.match(await query(page), /points=30:30/);
    await page.context().close();
  },

  async 'long questions give way to what is looked at, and what is old is marked'() {
    const begin = performance.now();
    const page = await open('#play?points=150:150');
    const bid = async (turns) => {
      await page.waitForSelector('#bid');
      await page.click('#submit-bid');
      await page.waitForFunction((turns) => document.querySelectorAll('.log tbody tr').length === turns, turns);
    };
    await bid(1);
    const first = Math.round(performance.now() - begin);
    await page.click('#tab-explore');
    await shown(page, '150:150@0');
    const busy = () => page.getAttribute('.card.last', 'aria-busy');
    assert.equal(await busy(), 'true', 'how it ends takes longer than the value');
    await page.focus('.plane');
    const pressed = performance.now();
    await page.keyboard.press('ArrowLeft');
    await shown(page, '150:149@0');
    console.log(`     150 points: first bid ${first} ms, a state meanwhile ${Math.round(performance.now() - pressed)} ms`);
    assert.equal(await busy(), 'true');
    await page.click('#tab-play');
    await bid(2);
    await page.context().close();
    const small = await explored('20:20@0');
    const ends = () => small.textContent('.ends-table');
    await small.waitForSelector('.card.last[aria-busy=false]');
    const before = await ends();
    await small.locator('.court [role=radio]').last().click();
    await shown(small, '20:20@2');
    await small.waitForSelector('.card.last[aria-busy=false]');
    assert.notEqual(await ends(), before);
    await small.context().close();
  },

  async 'what symmetry says is not looked for'() {
    const page = await explored('50:50@0');
    assert.equal(await page.textContent('#exact'), '0');
    assert.match(await page.textContent('.fraction'), /same position/);
    assert.equal(native('show', '50:50@0').exact, '0');
    await page.context().close();
  },

  async 'on a phone the bid is in sight, and no keyboard opens by itself'() {
    const page = await open('#play?lang=de', { width: 390, height: 844 });
    for (let turn = 0; turn < 2; turn++) {
      await page.waitForSelector('#submit-bid');
      const { y, height } = await page.locator('#submit-bid').boundingBox();
      assert.ok(y + height < 844, `the button ends at ${y + height}`);
      await page.tap('[aria-label="Eins mehr"]');
      // One more than the bid before.
      assert.equal(await page.inputValue('#bid'), String(turn + 2));
      await page.tap('#submit-bid');
      await page.waitForFunction((turn) => document.querySelectorAll('.log tbody tr').length > turn, turn);
      assert.notEqual(await page.evaluate(() => document.activeElement.id), 'bid');
      await page.evaluate(() => scrollTo(0, 0));
    }
    const clipped = await page.$eval('.log', (log) => log.scrollWidth - log.parentElement.clientWidth);
    assert.ok(clipped <= 0, `the table of turns is ${clipped} too wide`);
    await page.context().close();
  },

  async 'two people on one device hide their bids from each other'() {
    const page = await open('#play?points=6:6&lang=en');
    await page.waitForSelector('#bid');
    await page.selectOption('#opponent', 'person');
    await page.waitForSelector('.bid-form:has-text("as A")');
    await page.fill('#bid', '3');
    await page.click('#submit-bid');
    await page.waitForSelector('#ready');
    assert.equal(await page.locator('#bid').count(), 0);
    assert.ok(!/3/.test(await page.textContent('.cover')));
    await page.click('#ready');
    assert.match(await page.textContent('.bid-form'), /as B/);
    assert.equal(await page.inputValue('#bid'), '1');
    await page.fill('#bid', '2');
    await page.click('#submit-bid');
    await page.waitForFunction(() => /A bid 3, B bid 2/.test(document.querySelector('.revealed')?.textContent));
    assert.match(await page.textContent('.bid-form'), /as A/);
    const costs = await page.$$eval('.log tbody tr td:nth-last-child(-n+2)', (cells) => cells.map((cell) => cell.textContent));
    assert.deepEqual(costs, ['…', '…'], 'what bids cost is told when the game is over');
    await page.context().close();
  },

  async 'players of many strengths, each with its exploitability'() {
    const page = await open('#play?points=8:8');
    await page.waitForSelector('#bid');
    await page.selectOption('#opponent', 'simple:1000');
    await page.waitForSelector('#bid');
    const expected = native('exploit', 'simple:1000', '--points', '8').exploitability;
    await page.waitForFunction(() => document.getElementById('strength')?.textContent);
    assert.ok(Math.abs(parseFloat(/[\d.]+/.exec(await page.textContent('#strength'))[0]) - expected) < 1e-4);
    await playOn(page, 8);
    assert.match(await page.inputValue('#record'), /# A: a person, B: simple:1000/);
    await page.click('#levels summary');
    const levels = ['uniform', 'quantal:3', 'lookahead:2:uniform', 'optimal'];
    for (const level of levels) {
      // `exp` is the system's, so that the last bits may differ.
      const cell = `[data-level="${level}"]`;
      await page.waitForFunction((cell) => /\d/.test(document.querySelector(cell)?.textContent), cell);
      const right = native('exploit', level, '--points', '8').exploitability;
      assert.ok(Math.abs(Number(await page.textContent(cell)) - right) < 1e-4, level);
    }
    await page.context().close();
  },

  async 'a played game, as a sentence and as a link'() {
    const page = await open('#play?points=9:9');
    await page.waitForSelector('#bid');
    await page.fill('#bid', '9');
    await makeBid(page);
    await playOn(page, 9);
    const said = await page.textContent('#gave-away');
    const [, sum, bid, state, cost] =
      /You gave away ([\d.]+) in \d+ turns?; your worst bid was (\d+) at (\S+), which cost ([\d.]+)\./.exec(said);
    assert.deepEqual([bid, state], ['9', '9:9@0']);
    const { loss } = native('show', '9:9@0').bids.a.find((entry) => entry.bid === 9);
    assert.ok(Math.abs(cost - loss) < 0.006 && Number(sum) >= Number(cost));
    // From disk the text ends with a code that any copy of the page reads.
    const shared = await clipboard(page, 'share-game');
    const turns = await page.locator('.log tbody tr').count();
    const [won, symbols, asked, code] = shared.split('\n');
    assert.match(won, /^I (won|lost) by \d points? at pencil tennis, against the optimum\.$|^I drew /);
    assert.match(symbols, /^(🟢|🟨|🔺)+$/u);
    // After the whole account has been bid there is nothing to choose.
    assert.equal(symbols, '🔺');
    assert.equal(asked, 'Can you do better? Paste this into any copy of the page:');
    assert.match(code, /^#play\?points=9:9&as=A&against=optimal&bids=9-\d+(\.0-\d+)*$/);
    // A copy of the page with another language, which stays.
    const other = await open('#play?points=7:7&lang=de', { at: addressed() });
    await other.waitForSelector('#bid');
    await pasted(other, shared);
    await other.waitForSelector('#replay:not([hidden])');
    assert.equal(await other.getAttribute('#replay-turn', 'max'), String(turns));
    assert.match(
      await other.textContent('#result'),
      /Mit je 9 Punkten, als A: .* das Optimum\. Können Sie es besser\? 0 gut, 0 mittel, 1 teuer/,
    );
    await other.click('#try-same');
    await other.waitForSelector('#bid');
    assert.equal(await other.getAttribute('html', 'data-guest'), null);
    await playOn(other, 9);
    const linked = await clipboard(other, 'share-game');
    const own = await other.locator('.log tbody tr').count();
    const [, link] = /(?<!\n)https:\/\/example\.org\/tennis\.html(#play\S+)$/.exec(linked);
    assert.doesNotMatch(link, /lang=/);
    await other.context().close();
    // On a phone the game is what one sees, without scrolling, and it plays by itself to its end.
    const friend = await open(link, { width: 360, height: 640, level: null });
    await friend.waitForSelector('#replay:not([hidden])');
    assert.equal(await friend.getAttribute('#replay-turn', 'max'), String(own));
    for (const hidden of ['.rules', '#begin-game', '.tabs', '#record'])
      assert.equal(await friend.isVisible(hidden), false, hidden);
    const court = await friend.locator('#replay .court').boundingBox();
    assert.ok(court.y + court.height < 640, `the court ends at ${court.y + court.height}`);
    await friend.waitForFunction((turns) => document.getElementById('replay-turn').value === turns, String(own));
    // In another language it is still there.
    await friend.selectOption('#language', 'de');
    await friend.waitForSelector('#replay:not([hidden])');
    assert.match(await friend.textContent('#result h2'), /So hat jemand gespielt/);
    await friend.click('#whole-page');
    await friend.waitForSelector('#begin-game');
    await friend.context().close();
    await page.click('#try-again');
    await page.waitForSelector('#bid');
    assert.deepEqual(
      await page.$$eval('#panel-play .table-top .accounts strong', (parts) => parts.map((part) => part.textContent)),
      ['9', '9'],
    );
    await page.context().close();
    const wrong = await open('#play?bids=5-x');
    await noticed(wrong, 'bids=5-x');
    await wrong.context().close();
  },

  async 'a result as a link, without its game'() {
    const disk = await open('#play?points=6:6');
    await playOn(disk, 6);
    assert.match(
      await clipboard(disk, 'share-result'),
      /^I [^\n]*\n\S+\nCan you do better\? Paste this into any copy of the page:\n#play\?points=6:6&as=A&against=optimal&told=bids&won=\S+$/,
    );
    await disk.context().close();
    const page = await open('#play?points=6:6', { at: addressed() });
    await playOn(page, 6);
    const verdict = await page.textContent('#verdict');
    const shared = await clipboard(page, 'share-result');
    const link = shared.slice(shared.indexOf('#'));
    assert.ok(!/bids=/.test(link));
    const [, won] = /won=(-?\d+)/.exec(link);
    const words = won > 0 ? `You win by ${won} ` : won < 0 ? `You lose by ${-won} ` : 'Nobody wins';
    assert.ok(verdict.includes(words), `${verdict}: ${won}`);
    const friend = await open(link);
    await friend.waitForSelector('#result:not([hidden])');
    const told = await friend.textContent('#result');
    assert.match(told, won > 0 ? /Won by \d points? as A/ : won < 0 ? /Lost by \d points? as A/ : /Drew as A/);
    assert.match(told, /against the optimum.*It took \d turns?\..*Given away/);
    assert.equal(await friend.isVisible('#replay'), false, 'the game itself is not told');
    assert.match(await friend.textContent('.rules summary'), /6 points each/);
    await friend.click('#try-same');
    await friend.waitForSelector('#bid');
    await friend.context().close();
    await page.context().close();
    const blind = await open('#play?points=20:20&state=6:6@0&as=B&against=uniform&told=ball&won=-2');
    await blind.waitForSelector('#result:not([hidden])');
    assert.match(
      await blind.textContent('#result'),
      /Lost by 2 points as B, against a uniform player.*only the ball was announced/,
    );
    await blind.click('#try-same');
    await blind.waitForSelector('.bid-form:has-text("as B, from 1 to 6")');
    assert.match(await blind.textContent('.revealed'), /^Blind Tennis/);
    assert.equal(await blind.inputValue('#opponent'), 'uniform');
    await blind.context().close();
    const wrong = await open('#play?won=much');
    await noticed(wrong, 'won=much');
    await wrong.context().close();
  },

  async 'bids of 0: chosen, linked, explored, played to a standstill, in both languages'() {
    const rules = ['--field', '3', '--motion', 'step', '--scoring', 'win-loss', '--min-bid', '0'];
    const page = await explored('50:50@0');
    await unfold(page);
    await page.selectOption('#rules-known', 'arena');
    assert.equal(await page.inputValue('#rules-minBid'), '0');
    for (const player of ['A', 'B']) await page.fill(`#rules-points${player}`, '10');
    await page.click('.rules-form button[type=submit]');
    await shown(page, '10:10@0');
    assert.match(await page.textContent('#rules-details summary'), /Oshi-Zumo, bids from 0, 10 points each/);
    assert.match(await query(page), /scoring=win-loss&min-bid=0&state=10:10@0/);
    const { endless } = native('solve', '10', ...rules, '--outcomes').outcomes;
    await page.waitForSelector('#endless');
    const told = Number(/In ([\d.]+) % of the games both bid 0 for ever/.exec(await page.textContent('#endless'))[1]);
    assert.ok(Math.abs(told - 100 * endless) < 0.06, `${told} % and ${endless}`);
    assert.equal(await page.locator('.matrix tbody tr').count(), 11, 'bids from 0 to 10');
    const link = (await query(page)).replace('10:10@0', '5:4@-1');
    await page.context().close();
    const other = await open(link);
    await shown(other, '5:4@-1');
    assert.ok(Math.abs(Number(await value(other)) - native('show', '5:4@-1', ...rules).value) < 1e-9);
    await other.context().close();
    // By hand: the player with the ball on the other's side wins by waiting.
    const zero = 'field=3&motion=step&scoring=win-loss&min-bid=0';
    for (const [language, nothing, standing] of [
      ['en', 'Nothing has changed.', 'Both bid 0 for ever.'],
      ['de', 'Nichts hat sich geändert.', 'Beide bieten für immer 0.'],
    ]) {
      const play = await open(`#play?points=2:1&${zero}&state=1:0@1&lang=${language}`);
      await play.waitForSelector('#bid');
      assert.equal(await play.locator('#told option[value=ball]').isDisabled(), true, 'not solved blind');
      await play.selectOption('#from', 'looked');
      await play.waitForSelector('#bid[max="1"]');
      await play.fill('#bid', '0');
      await play.click('#submit-bid');
      await play.waitForSelector('#wait');
      assert.ok((await play.textContent('.revealed')).includes(nothing));
      await play.click('#wait');
      await play.waitForSelector('#verdict');
      assert.ok((await play.textContent('#verdict')).startsWith(standing));
      assert.match(await play.textContent('#score'), /1 · .* 0 · /);
      assert.match(await play.inputValue('#record'), /min-bid 0\n[^]*\n2 0 0 1 0 1\n[^]*# decided where the ball lies/);
      await play.context().close();
    }
    // A player without points waits until a uniform player spends its only point, which almost surely happens.
    const waiting = await open(`#play?points=1:1&${zero}&state=0:1@0`);
    await waiting.waitForSelector('#bid');
    await waiting.selectOption('#opponent', 'uniform');
    await waiting.selectOption('#from', 'looked');
    await waiting.waitForSelector('#verdict');
    assert.match(await waiting.textContent('#verdict'), /You lose by 1 point/);
    await waiting.context().close();
    const persons = await open(`#play?points=1:1&${zero}`);
    await persons.waitForSelector('#bid');
    await persons.selectOption('#opponent', 'person');
    await persons.fill('#bid', '0');
    await persons.click('#submit-bid');
    await persons.click('#ready');
    await persons.fill('#bid', '0');
    await persons.click('#submit-bid');
    await persons.click('#wait');
    await persons.waitForSelector('#verdict');
    assert.match(await persons.textContent('#verdict'), /^Both bid 0 for ever\. .*Nobody wins\./);
    await persons.context().close();
  },

  async 'a match goes on until somebody has the points, and uneven sides are exchanged'() {
    const page = await open('#play?points=3:3');
    await page.waitForSelector('#bid');
    await page.selectOption('#opponent', 'uniform');
    await page.selectOption('#match', '5');
    const score = { you: 0, them: 0 };
    for (let game = 1; ; game++) {
      assert.ok(game < 200, 'a match ends');
      await playOn(page, 6);
      const [, verb, points] = /You (win|lose) by (\d)|$/.exec(await page.textContent('#verdict'));
      if (verb) score[verb === 'win' ? 'you' : 'them'] += Number(points);
      const said = `You ${score.you} · Uniform player ${score.them} · after ${game} game${game > 1 ? 's' : ''} · match to 5`;
      assert.equal(await page.textContent('#score'), said);
      if (Math.max(score.you, score.them) >= 5) break;
      assert.equal(await page.locator('#match').count(), 1, 'only the choice of a match, not its end');
      await page.click('#again');
    }
    assert.equal(await page.textContent('p.match'), score.you >= 5 ? 'You win the match.' : 'You lose the match.');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#bid');
    assert.match(await page.textContent('#score'), / 0 · .* 0 · after 0 games/);
    await page.context().close();
    const uneven = await open('#play?points=4:3');
    await uneven.waitForSelector('#bid');
    await uneven.selectOption('#match', '20');
    await playOn(uneven, 7);
    await uneven.click('#again');
    await uneven.waitForSelector('.bid-form:has-text("as B")');
    assert.equal(await uneven.inputValue('#side'), 'B');
    await uneven.context().close();
  },

  async 'blind Tennis: only the ball is told, and bids are judged by what one can know'() {
    // By hand: a uniform player bids 1 or 2; 2 then loses 1 on average against 1.
    for (const [bid, words] of [
      ['1', /cost you nothing/],
      ['2', /cost you 1 on average/],
    ]) {
      const page = await open('#play?points=2:2');
      await page.waitForSelector('#bid');
      await page.selectOption('#opponent', 'uniform');
      await page.selectOption('#told', 'ball');
      await page.waitForSelector('.revealed:has-text("Blind Tennis")');
      await page.fill('#bid', bid);
      await page.keyboard.press('Enter');
      await page.waitForSelector('.log tbody tr');
      assert.match(await page.textContent('.revealed'), words);
      await page.context().close();
    }
    const page = await open('#play');
    await page.waitForSelector('#bid');
    await page.focus('#told');
    await page.keyboard.press('End');
    await page.waitForSelector('.revealed:has-text("Blind Tennis")');
    assert.equal(await page.inputValue('#from'), '8');
    assert.equal(await page.$eval('#opponent option[value=person]', (option) => option.disabled), true);
    const accounts = () =>
      page.$$eval('#panel-play .table-top .accounts strong', (parts) => parts.map((part) => part.textContent));
    assert.deepEqual(await accounts(), ['8', '8']);
    const promised = [];
    for (let turn = 0; !(await page.$('#verdict')); turn++) {
      promised.push((await page.textContent('.commitment code')).trim());
      if (turn === 1) {
        assert.deepEqual(await accounts(), ['7', '?']);
        assert.match(await page.textContent('.revealed'), /^You bid 1, and the ball is on [^.]+\./);
        assert.ok(!/bids/.test(await page.textContent('.secrets')), 'sentences wait for the end');
        assert.deepEqual(
          await page.$eval('.log tbody tr', (row) => [...row.cells].map((cell) => cell.textContent)).then((cells) => cells[2]),
          '?',
        );
        await page.click('.hint-box summary');
        await page.waitForSelector('.hint-box .bidchart');
        assert.match(await page.textContent('.hint-box'), /tell, your opponent has \d/);
        // It is still there after the page was closed.
        const again = await open('', { context: page.context() });
        await again.waitForSelector('#bid');
        assert.equal(await again.inputValue('#told'), 'ball');
        assert.equal(await again.locator('.log tbody tr').count(), 1);
        await again.close();
      }
      await page.click('#submit-bid');
      await page.waitForFunction((turn) => document.querySelectorAll('.log tbody tr').length > turn, turn);
      await page.waitForSelector('#bid, #verdict');
    }
    const secrets = await page.$$eval('.secrets li', (items) =>
      items.map((item) => [...item.querySelectorAll('code')].map((code) => code.textContent)),
    );
    const bids = await page.$$eval('.log tbody tr', (rows) => rows.map((row) => row.cells[2].textContent));
    for (const [index, [text, sha256]] of secrets.entries()) {
      if (index < promised.length) assert.equal(sha256, promised[index]);
      assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
      assert.match(text, new RegExp(`B bids ${bids[index]},`));
    }
    assert.match(await page.textContent('#gave-away'), /You gave away nothing|By what you could know, you gave away/);
    assert.equal(await page.isVisible('#replay'), false);
    await page.selectOption('#told', 'bids');
    await page.waitForSelector('#bid');
    assert.deepEqual(await accounts(), ['50', '50']);
    // A state that is too large gives an error message.
    await page.selectOption('#told', 'ball');
    await page.waitForSelector('#bid');
    await page.selectOption('#from', 'looked');
    await page.waitForSelector('#panel-play .wrong');
    assert.match(await page.textContent('#panel-play .wrong'), /enough for 12:12 points/);
    await page.context().close();
  },

  async 'the puzzle of a day'() {
    const page = await open('#puzzle?day=2026-11-22&lang=en');
    await page.waitForSelector('#puzzle-bid');
    const state = await page.getAttribute('html', 'data-puzzle');
    const { bids, a } = native('show', state);
    assert.ok(a.length >= 3);
    const answer = bids.a.findLast(({ loss }) => loss < 5e-4).bid;
    const costliest = bids.a.reduce((most, entry) => (entry.loss > most.loss ? entry : most));
    await page.fill('#puzzle-bid', String(costliest.bid));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#puzzle-verdict');
    const cost = /costs ([\d.]+) on average/.exec(await page.textContent('#puzzle-verdict'))[1];
    assert.ok(Math.abs(cost - costliest.loss) < 6e-4);
    const away = Math.abs(answer - costliest.bid);
    assert.match(await page.textContent('#panel-puzzle'), new RegExp(`costs nothing is ${answer}, ${away} points? away`));
    assert.match(await page.textContent('#panel-puzzle'), /in a row: 1 day\./);
    const shared = await clipboard(page, 'share-puzzle');
    assert.match(shared, /^Pencil tennis puzzle 2026-11-22: [●○]{5} 1 day in a row\n[^\n]*:\n#puzzle\?day=2026-11-22$/);
    // One bid a day: it is still there, and the next day goes on in the row. One page is loaded again for it: between two pages of
    // a busy browser what one stores may reach the other late.
    assert.match(await query(page), /^#puzzle\?.*&day=2026-11-22&/);
    await page.reload();
    await page.waitForSelector('#puzzle-verdict');
    await page.goto(`${address}#puzzle?day=2026-11-23`);
    await page.reload();
    await page.waitForSelector('#puzzle-bid');
    const nextState = await page.getAttribute('html', 'data-puzzle');
    assert.notEqual(nextState, state);
    const right = native('show', nextState).bids.a.findLast(({ loss }) => loss < 5e-4);
    await page.fill('#puzzle-bid', String(right.bid));
    await page.click('#submit-puzzle-bid');
    await page.waitForSelector('#puzzle-verdict');
    assert.match(await page.textContent('#panel-puzzle'), /●●●●●.*Right: .*in a row: 2 days\./);
    await page.context().close();
  },

  async 'a site is served, begins where it is asked to, and works without a network'() {
    const site = join(folder, 'site');
    execFileSync(program, ['explore', '4:3@-2', '--site', site], { stdio: 'ignore' });
    const types = {
      html: 'text/html',
      js: 'text/javascript',
      webmanifest: 'application/manifest+json',
      svg: 'image/svg+xml',
      png: 'image/png',
    };
    const server = createServer((request, response) => {
      const name = request.url === '/' ? 'index.html' : request.url.slice(1);
      try {
        response.setHeader('content-type', types[name.split('.').pop()]);
        response.end(readFileSync(join(site, name)));
      } catch {
        response.writeHead(404).end();
      }
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    const context = await browser.newContext();
    const page = await context.newPage();
    const home = `http://127.0.0.1:${server.address().port}/`;
    await page.goto(home);
    await shown(page, '4:3@-2');
    await page.evaluate(() => navigator.serviceWorker.ready);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await page.goto(`${home}#explore?state=7:6@1`);
    await page.reload();
    await shown(page, '7:6@1');
    assert.ok(Math.abs(Number(await value(page)) - 46 / 41) < 1e-8);
    await context.close();
  },

  async 'a full game, its secrets and its record'() {
    const page = await open('#play?points=8:8');
    await page.selectOption('#side', 'B');
    let promised = [];
    for (let turn = 0; turn < 8; turn++) {
      await page.waitForSelector('#bid, #verdict');
      if (await page.$('#verdict')) break;
      promised.push((await page.textContent('.commitment code')).trim());
      await page.click('#submit-bid');
      await page.waitForFunction((turn) => document.querySelectorAll('.log tbody tr').length > turn, turn);
      assert.match(
        await page.textContent('.revealed'),
        /You bid \d+, A bid \d+\. (That bid cost you [\d.]+ on average|Your bid cost you nothing)\./,
      );
    }
    await page.waitForSelector('#verdict');
    const secrets = await page.$$eval('.secrets li', (items) =>
      items.map((item) => [...item.querySelectorAll('code')].map((code) => code.textContent)),
    );
    assert.ok(secrets.length >= promised.length, 'turns without a choice come last');
    for (const [index, [text, sha256]] of secrets.entries()) {
      assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
      if (index < promised.length) assert.equal(sha256, promised[index], 'what was promised is what was revealed');
      assert.match(text, new RegExp(`^turn ${index + 1}: A bids \\d+, [0-9a-f]{32}$`));
    }
    const record = await page.inputValue('#record');
    const turns = record
      .split('\n')
      .filter((line) => /^[1-9]/.test(line))
      .map((line) => line.split(' ').map(Number));
    for (const [index, [turn, bidA]] of turns.entries()) {
      assert.equal(turn, index + 1);
      assert.match(secrets[index][0], new RegExp(`A bids ${bidA},`), 'the bid in the record is the one that was fixed');
    }
    assert.match(await page.textContent('#score'), /after 1 game$/);
    await page.click('#copy-record');
    await page.waitForFunction(() => document.body.textContent.includes('Copied.'));
    await page.click('#again');
    await page.waitForSelector('#bid');
    await page.fill('#record', record);
    await page.click('#read-record');
    await page.waitForFunction((turns) => document.body.textContent.includes(`${turns} turns, all legal`), turns.length);
    // The first example of the German encyclopedia's article on the game.
    await page.fill('#record', '0 50 50 0\n1 5 10 45 40 -1\n2 5 10 40 30 -2\n3 15 10 25 20 1\n4 15 10 10 10 2\n5 10 10 0 0 2\n');
    await page.click('#read-record');
    await page.waitForFunction(() => document.body.textContent.includes('5 turns, all legal'));
    assert.match(await page.textContent('.rules summary'), /50 points each/);
    await page.fill('#record', '0 4 3 -2\n1 2 1 2 2 1\n2 2 2 0 0 2');
    await page.click('#read-record');
    await page.waitForFunction(() =>
      document.body.textContent.includes('line 3: bids 2 and 2 from 2:2@1 lead to 0:0@1, not to 0:0@2'),
    );
    await page.context().close();
  },

  async 'policies are judged as the native program judges them'() {
    const page = await open('#judge?points=8:8');
    const judged = (name) => page.waitForFunction((name) => document.documentElement.dataset.judged === name, name);
    const exploitability = async () => Number(await page.textContent('#exploitability'));
    await solved(page);
    await page.click('#judge-uniform');
    await judged('The uniform player');
    const expected = native('exploit', 'uniform', '--points', '8');
    assert.ok(Math.abs((await exploitability()) - expected.exploitability) < 1e-6);
    assert.equal(await page.textContent('.worst tbody th'), expected.worst[0].state);
    for (const ending of ['csv', 'json', 'npz']) {
      const path = join(folder, `optimal.${ending}`);
      execFileSync(program, ['export', 'policy', '8', '--format', ending, '-o', path]);
      await page.setInputFiles('#panel-judge input[type=file]', path);
      await judged(`optimal.${ending}`);
      // A headline that its own bounds contain.
      const headline = await page.textContent('#exploitability');
      assert.match(headline, /^(0|≤ [\d.]+·10⁻¹[678])$/, ending);
    }
    // This file as an opponent, with sides exchanged after a game.
    await page.click('#tab-play');
    await page.selectOption('#opponent', 'opponent');
    await page.setInputFiles('#panel-play .drop input[type=file]', join(folder, 'optimal.npz'));
    await playOn(page, 8);
    assert.match(await page.inputValue('#record'), /# A: a person, B: optimal\.npz/);
    await page.click('#exchange');
    await page.waitForSelector('#bid');
    assert.equal(await page.inputValue('#side'), 'B');
    await page.click('#tab-judge');
    // A always bids 1, and B as A would on the other side.
    const timid = ['a,b,ball,player,bid,probability'];
    for (let a = 0; a <= 8; a++)
      for (let b = 0; b <= 8; b++) for (let ball = -2; ball <= 2; ball++) timid.push(`${a},${b},${ball},A,${Math.min(a, 1)},1`);
    const path = join(folder, 'timid.csv');
    writeFileSync(path, `${timid.join('\n')}\n`);
    await page.setInputFiles('#panel-judge input[type=file]', path);
    await judged('timid.csv');
    const judgedNatively = native('exploit', path, '--points', '8');
    const [asA] = await page.$$eval('#judged-figures tbody tr:first-child td', (cells) => cells.map((cell) => cell.textContent));
    assert.ok(Math.abs(Number(plain(asA)) - judgedNatively.best_response_value.b) < 1e-5);
    writeFileSync(path, 'a,b,ball,player,bid,probability\n1,1,0,A,7,1\n');
    await page.setInputFiles('#panel-judge input[type=file]', path);
    await page.waitForSelector('#panel-judge .status.wrong');
    assert.match(await page.textContent('#panel-judge .drop .status'), /bid 7/);
    await page.context().close();
  },

  async 'a rule of one’s own, by pressing, drawing and keys, judged at once and played against'() {
    const page = await open('#judge?points=8:8');
    await solved(page);
    const judged = async (change) => {
      await page.evaluate(() => delete document.documentElement.dataset.judged);
      await change();
      await page.waitForFunction(() => document.documentElement.dataset.judged === 'your own way');
    };
    // Always 1, for both players.
    const lines = ['a,b,ball,player,bid,probability'];
    for (let a = 0; a <= 8; a++)
      for (let b = 0; b <= 8; b++)
        for (let ball = -2; ball <= 2; ball++)
          lines.push(`${a},${b},${ball},A,${Math.min(a, 1)},1`, `${a},${b},${ball},B,${Math.min(b, 1)},1`);
    const path = join(folder, 'ones.csv');
    writeFileSync(path, `${lines.join('\n')}\n`);
    for (let side = -2; side <= 2; side++) await page.selectOption(`#own-${side}`, 'one');
    const expected = native('exploit', path, '--points', '8').exploitability;
    const near = (expected) => Math.abs(Number(document.getElementById('exploitability')?.textContent ?? NaN) - expected) < 1e-6;
    await page.waitForFunction(near, expected);
    const figures = () => page.textContent('#judged-figures');
    const before = await figures();
    await judged(() => page.selectOption('#own-0', 'drawn'));
    const drawn = await figures();
    assert.notEqual(drawn, before);
    await page.focus('.pad');
    await judged(async () => {
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowDown');
    });
    const box = await page.locator('.pad').boundingBox();
    await judged(() => page.mouse.click(box.x + 0.9 * box.width, box.y + 0.1 * box.height));
    assert.notEqual(await figures(), drawn);
    assert.equal(await page.getAttribute('.pad', 'aria-valuenow'), '9');
    // It is kept, and can be played against.
    const again = await open('#judge?points=8:8', { context: page.context() });
    await again.waitForFunction(() => document.getElementById('own-0')?.value === 'drawn');
    await again.close();
    await page.click('#play-own');
    await page.waitForSelector('#bid');
    await playOn(page, 8);
    assert.match(await page.inputValue('#record'), /B: your own way/);
    assert.ok(!/null/.test(await page.textContent('.table-top')));
    // Its losses are shown where policies are judged.
    const given = /gave away ([\d.]+|nothing) in/.exec(await page.textContent('#gave-away'))[1];
    await page.click('#tab-judge');
    await page.waitForSelector('#mine-sum');
    const sum = /In 1 game you gave away ([\d.]+) a game/.exec(await page.textContent('#mine-sum'))[1];
    assert.equal(Number(sum), given === 'nothing' ? 0 : Number(given));
    await page.context().close();
  },

  async 'a class: links to steps, large letters, two groups, and a sheet of two pages whose solutions are right'() {
    const page = await open('#learn?step=4&lang=en');
    await page.waitForSelector('html[data-step="4"]');
    await page.click('#next-step');
    await page.waitForFunction(() => /step=5/.test(location.hash));
    const letters = () => page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('#print-sheet')).fontSize));
    const before = await letters();
    await page.click('#projector');
    assert.equal(await letters(), 1.5 * before);
    await page.click('#projector');
    // The same numbers by the native program.
    const loss = (bid) => native('show', '10:10@0').bids.a[bid - 1].loss;
    assert.deepEqual([native('show', '3:0@0').value, native('show', '2:0@0').value, native('show', '1:1@-2').value], [2, 1, -1]);
    assert.deepEqual([loss(1), loss(2).toFixed(2), loss(3)], [0, '0.29', 1]);
    const { value, a, matrix } = native('show', '4:3@-2');
    assert.ok(Math.abs(value + 1 / 5) < 1e-12);
    assert.deepEqual(
      a.map(({ bid, probability }) => [bid, Number(probability.toFixed(9))]),
      [
        [2, 0.4],
        [3, 0.6],
      ],
    );
    assert.deepEqual(
      matrix.map((row) => Math.min(...row)),
      [-2, -2, -1, -1],
      'every known bid loses 1 or 2',
    );
    await page.evaluate(() => (window.print = () => {}));
    await page.click('#print-sheet');
    const text = await page.textContent('#sheet .solutions');
    for (const said of [
      '3 points',
      'to +1. Each has 2 points',
      'B wins 1',
      '2 costs about 0.29 points on average, and 3 costs 1',
      '2 in 40 % and 3 in 60 %',
      '1/5',
    ])
      assert.ok(text.includes(said), said);
    const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 2);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    assert.equal(await page.locator('#sheet').count(), 0);
    // Learn itself begins on its first page.
    const learn = (await page.pdf({ format: 'A4' })).toString('latin1');
    assert.ok(learn.match(/\/Type\s*\/Page\b/g).length <= 3);
    await page.click('#two-groups');
    await page.waitForSelector('#bid');
    assert.match(await page.textContent('#score'), /^A 0 · B 0/);
    await page.context().close();
  },

  async 'a class votes by a show of hands: the keyboard alone, what the hands secure, and the end'() {
    const page = await open('#learn?lang=en');
    await page.click('#class-votes');
    await page.waitForSelector('#vote input[data-bid="10"]');
    await page.click('#vote-play');
    assert.equal(await page.textContent('#vote-said'), 'Nobody has voted yet.');
    assert.equal(await page.locator('#vote details').count(), 0, 'answers are hidden until there is a vote');
    // A quarter of the hands for 1, the others for 3, which is what is played.
    await page.focus('#vote input[data-bid="1"]');
    for (const key of ['5', 'Enter', 'Enter', '1', '5', ...Array(8).fill('Enter')]) await page.keyboard.press(key);
    await page.waitForSelector('#vote details');
    assert.match(await page.textContent('#vote-said'), /^(The class bids|Both bid) 3\b.* The bid cost /);
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-bid')), '1');
    const { a, matrix } = native('show', '10:10@0');
    const against = (share, column) => matrix.reduce((sum, row, place) => sum + share(place + 1) * row[column], 0);
    const mixture = (share) => Math.min(...matrix[0].map((_, column) => against(share, column)));
    const optimum = (bid) => a.find((one) => one.bid === bid)?.probability ?? 0;
    const hands = (bid) => ({ 1: 1 / 4, 3: 3 / 4 })[bid] ?? 0;
    await page.click('#vote summary');
    const said = plain(await page.textContent('#vote details p'));
    const [held, secured] = (said.match(/[-+]?\d(?:\.\d+)?(?= on|\.? ?,? even)/g) ?? []).map(Number);
    assert.ok(Math.abs(held - mixture(hands)) <= 0.005 + 1e-9, said);
    assert.ok(Math.abs(secured - mixture(optimum)) <= 0.005 + 1e-9, said);
    const shares = await page.locator('#vote tbody tr:nth-child(3) td').allTextContents();
    assert.match(shares[0], /75/);
    assert.equal(parseFloat(shares[1]), Number((100 * optimum(3)).toFixed(1)));
    // One hand a turn, drawn from all, until the game is over; then another begins.
    await page.check('#vote-drawn');
    for (;;) {
      const before = await page.textContent('#vote .accounts');
      await page.fill('#vote input[data-bid="1"]', '1');
      await page.click('#vote-play');
      await page.waitForFunction((before) => document.querySelector('#vote .accounts')?.textContent !== before, before);
      if (await page.locator('#vote-verdict').count()) break;
      assert.ok(await page.isChecked('#vote-drawn'));
    }
    assert.match(await page.textContent('#vote-verdict'), /^(The class (wins|loses) by [12] points?|Nobody wins)\. /);
    await page.click('#vote-again');
    await page.waitForSelector('#vote input[data-bid="10"]');
    await page.addScriptTag({ path: axe });
    const { violations } = await page.evaluate(() => axe.run());
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`), []);
    await page.context().close();
  },

  async 'the gallery shows what each game is played with, and cards lie on a table'() {
    const page = await open('#games?game=goofspiel-5&lang=en');
    await page.waitForSelector('.card-table');
    const cards = () => page.locator('.card-table p').allTextContents();
    assert.deepEqual(await cards(), ['B12345', 'Prize5', 'A12345']);
    await page.evaluate(() => (location.hash = '#games?game=goofspiel-5&at=345 235'));
    await page.waitForFunction(() => document.querySelector('#any-state h2')?.textContent === '345 235');
    assert.deepEqual(await cards(), ['B235', 'Prize3', 'A345']);
    // Where a hundred states can follow within two turns, there is no picture that nobody can read.
    assert.equal(await page.locator('.any-graph').count(), 0);
    await page.waitForSelector('text=Too many states for a picture');
    const names = await page.locator('#gallery .thumb').evaluateAll((all) => all.map((one) => one.dataset.game));
    assert.deepEqual(names.slice(0, 2), ['rps', 'soccer']);
    // A ring of three fields between six coins each.
    await page.click('#gallery [data-game=oshi-zumo]');
    await page.waitForSelector('.ring-wrestler');
    assert.deepEqual(
      await Promise.all(['rect', '.pitch-player.of-a', '.pitch-player.of-b'].map((part) => page.locator(`.pitch ${part}`).count())),
      [3, 6, 6],
    );
    // No two games have the same picture.
    const pictures = await page.locator('#gallery .thumb svg').evaluateAll((all) => all.map((one) => one.innerHTML));
    assert.equal(new Set(pictures).size, names.length);
    await page.context().close();
  },

  async 'the lesson leads to -1/5'() {
    const begin = performance.now();
    const page = await open('#learn');
    await page.waitForSelector('.lesson-matrix');
    const first = Math.round(performance.now() - begin);
    await page.waitForSelector('#lesson-note:has-text("Computed and proved here")');
    console.log(`     first table: ${first} ms, proved: ${Math.round(performance.now() - begin)} ms`);
    const step = (number) => page.waitForFunction((number) => document.documentElement.dataset.step === String(number), number);
    await step(1);
    await page.check('#learn-a-2');
    await page.check('#learn-b-1');
    await page.waitForFunction(() => document.querySelector('.lesson')?.textContent.includes('2:2@1'));
    await page.click('#next-step');
    await step(2);
    await page.check('#learn-a-3');
    assert.match(plain(await page.textContent('.lesson .readout')), /B bids 1: A wins -1/);
    await page.click('#next-step');
    await step(3);
    for (const [place, bid] of [
      ['tbody', 1],
      ['tbody', 4],
      ['thead', 2],
    ])
      await page.click(`.lesson ${place} button:has-text("${bid}")`);
    assert.match(await page.textContent('.lesson .readout'), /Two bids each are left/);
    for (const share of [40, 60]) {
      await page.click('#next-step');
      await page.fill('#mix', '50');
      assert.equal(await page.getAttribute('html', 'data-equal'), 'false');
      await page.fill('#mix', String(share));
      assert.equal(await page.getAttribute('html', 'data-equal'), 'true');
      assert.match(plain(await page.textContent('.lesson .readout')), /-0\.2/);
    }
    assert.match(plain(await page.textContent('#learned')), /-1\/5/);
    await page.click('#next-step');
    await shown(page, '4:3@-2');
    await page.context().close();
  },

  async 'both languages say the same things'() {
    const page = await open('#explore');
    await page.waitForSelector('#tab-explore');
    await nameModules(page);
    const missing = await page.evaluate(() => {
      const { STRINGS } = exportsOf('strings');
      const { GAMES } = exportsOf('gamestrings');
      const [english, german] = ['en', 'de'].map((language) => ({ ...STRINGS[language], ...GAMES[language] }));
      const holes = (text) =>
        (text?.match(/\{\w+\}/g) ?? [])
          .sort()
          .filter((hole, place, all) => hole !== all[place - 1])
          .join();
      const keys = [...new Set([...Object.keys(english), ...Object.keys(german)])];
      const differing = keys.filter((key) => holes(english[key]) !== holes(german[key]) || !english[key] || !german[key]);
      const code = modules.filter(([name]) => !name.endsWith('strings'));
      const sources = code.map(([, source]) => source).join('\n');
      const asked = [...sources.matchAll(/\bt\('([^']+)'/g)].map((match) => match[1]);
      if (asked.length < 200) return ['the sources are not found'];
      // A key that is put together, such as `ends.${name}`, stands for all keys of its form.
      const parts = [...sources.matchAll(/`([\w.:-]+)\$\{[^`]*?\}([\w.-]*)`/g)];
      const forms = parts.map(
        ([, before, after]) =>
          (key) =>
            key.startsWith(before) && key.endsWith(after),
      );
      const used = (key) => sources.includes(`'${key}'`) || forms.some((isOne) => isOne(key));
      const unused = keys.filter((key) => key.includes('.') && !used(key));
      // The digits of a number are not apart.
      const apart = keys.filter((key) => /\d \d{3}/.test(english[key] + german[key]));
      return [...differing, ...asked.filter((key) => !english[key]), ...unused.map((key) => `${key} is unused`), ...apart];
    });
    assert.deepEqual(missing, []);
    await shown(page, '50:50@0');
    await page.selectOption('#language', 'de');
    await page.waitForFunction(() => document.documentElement.lang === 'de');
    assert.match(await page.textContent('.rules .status'), /13\.005 Zustände/);
    assert.match(await query(page), /lang=de/);
    await page.context().close();
  },

  async 'every section at every width, in light and dark, in both languages, with nothing for axe to object'() {
    for (const [width, dark, language] of [
      [320, false, 'de'],
      [390, true, 'de'],
      [768, false, 'de'],
      [1280, false, 'en'],
      [2560, true, 'en'],
    ]) {
      for (const section of ['welcome', 'play', 'puzzle', 'explore', 'judge', 'learn', 'games']) {
        const page = await open(`#${section}?points=14:14&state=14:14@-1&lang=${language}`, { width, dark });
        const ready = {
          welcome: '#enter-play',
          puzzle: '#puzzle-bid',
          explore: 'html[data-shown]',
          play: '#bid',
          judge: '#judge-uniform',
          learn: 'html[data-step] .lesson-matrix',
          games: '#any-value',
        };
        await page.waitForSelector(ready[section], { state: 'attached' });
        if (section === 'judge') {
          await solved(page);
          await page.click('#judge-uniform');
          await page.waitForSelector('#exploitability');
        }
        if (section === 'play') {
          await playOn(page, 14);
        }
        if (section === 'puzzle') {
          await page.click('#submit-puzzle-bid');
          await page.waitForSelector('#puzzle-verdict');
        }
        // Where something is too wide, a phone makes the window wider, too.
        const overflow = (await page.evaluate(() => document.documentElement.scrollWidth)) - width;
        assert.ok(overflow <= 0, `${section} at ${width} is ${overflow} too wide`);
        await page.addScriptTag({ path: axe });
        const { violations } = await page.evaluate(() => axe.run());
        const found = violations.map(
          ({ id, impact, nodes }) =>
            `${impact} ${id}: ${nodes
              .map((node) => node.target)
              .slice(0, 3)
              .join(' ')}`,
        );
        const bad = found.filter((text) => /^(serious|critical)/.test(text));
        assert.deepEqual(bad, [], `${section} at ${width}`);
        for (const text of found) console.log(`     ${section} at ${width}: ${text}`);
        if (process.env.SCREENSHOTS)
          await page.screenshot({ path: join(process.env.SCREENSHOTS, `${section}-${width}.png`), fullPage: true });
        await page.context().close();
      }
    }
  },

  async 'a game of any rules: from a file, played, searched, judged, saved'() {
    const own = join(folder, 'own.jsonl');
    writeFileSync(
      own,
      [
        { format: 'stochastic-game', version: 1, kind: 'acyclic', start: ['first'], title: 'Two coins' },
        {
          id: 'first',
          a: ['h', 't'],
          b: ['h', 't'],
          cells: [0, 1].map((a) => [0, 1].map((b) => ({ to: [['1', a === b ? 'won' : 'lost']] }))),
        },
        { id: 'won', value: '2', picture: '\\o/' },
        { id: 'lost', value: '-1' },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    const page = await open('#games?game=oshi-zumo&at=5%3A4%400');
    await page.waitForSelector('#any-value');
    // By hand: v = √(3/5), since two bids of 0 repeat the position.
    assert.equal(await page.textContent('#any-value'), '+0.774597');
    await page.setInputFiles('#any-file', own);
    await page.waitForFunction(() => document.querySelector('#any-title').textContent === 'Two coins');
    // By hand: (2 · 2 − 1 · 1) / (2 + 2 + 1 + 1) = 1/2. The title is there before the state.
    await page.waitForFunction(() => document.querySelector('#any-value').textContent !== '+0.774597');
    assert.equal(await page.textContent('#any-value'), '+0.5');
    await page.selectOption('#any-B', 'uniform');
    await page.click('.any-player button');
    await page.waitForSelector('.any-log li');
    assert.match(await page.textContent('.any-log'), /first: A h, B [ht] → (won|lost)/);
    await page.fill('#any-word', 'WO');
    await page.waitForFunction(() => document.querySelectorAll('.any-list li').length === 1);
    const policy = join(folder, 'own.csv');
    writeFileSync(policy, 'state,player,action,probability\nfirst,A,h,1\n');
    await page.setInputFiles('#any-judged', policy);
    await page.waitForSelector('#any-verdict h3');
    assert.match(plain(await page.textContent('#any-verdict')), /A loses 1\.5 of the value/);
    // A refused file leaves nothing that could be taken for its judgement.
    const buffer = Buffer.from('state,player,action,probability\nelsewhere,A,h,1\n');
    await page.setInputFiles('#any-judged', { name: 'refused.csv', mimeType: 'text/csv', buffer });
    await noticed(page, 'refused.csv: ');
    assert.equal(await page.textContent('#any-verdict'), '');
    const [saved] = await Promise.all([page.waitForEvent('download'), page.click('.any-log ~ .actions button')]);
    const play = join(folder, 'play.jsonl');
    await saved.saveAs(play);
    assert.equal(native('replay', play, own).turns[0].a.action, 'h');
    writeFileSync(own, 'no game');
    await page.setInputFiles('#any-file', own);
    await page.waitForSelector('#panel-games .status.wrong');
    await page.context().close();
  },

  async 'games with hidden information: what the page computes is what the native program proves'() {
    const path = join(folder, 'dice.html');
    execFileSync(program, ['explore', '@liars-dice', '--no-open', '-o', path], { stdio: 'ignore' });
    const page = await open('#games?game=liars-dice', { at: `file://${path}` });
    await page.waitForSelector('#hidden-value');
    await nameModules(page);
    const games = await page.evaluate(() => {
      const { HiddenTree } = exportsOf('hiddentree');
      return Object.entries(globalThis.packed.hidden).map(([name, packed]) => {
        const tree = new HiddenTree(packed);
        // What A wins in the first sets that follow chance, with the best replies to the other's strategy.
        const secured = ['a', 'b'].map((player) =>
          tree.sets[player]
            .filter(({ parent }) => !parent)
            .reduce((sum, { reach, worth }) => sum + reach * (worth.find(({ loss }) => loss === 0)?.payoff ?? 0), 0),
        );
        const sets = ['a', 'b'].map((player) =>
          tree.sets[player].map(({ name, mixture, actions }) => ({ name, mixture, actions })),
        );
        return {
          name,
          secured,
          sets,
          nodes: tree.payoff.length,
          rounded: packed.rounded,
          lower: packed.decimal.lower,
          upper: packed.decimal.upper,
        };
      });
    });
    assert.equal(games.length, 6);
    // Values by hand or of the literature: Kuhn 1950, Southey and others 2005, liar's dice 1/sides².
    const values = {
      kuhn: -1 / 18,
      leduc: -0.085606424078,
      'liars-dice-4': 1 / 16,
      'hidden-goofspiel-3': 0,
      'secret-inspection': 1 / 2,
    };
    for (const { name, secured, sets, nodes, rounded, lower, upper } of games) {
      // A's best reply to B's strategy wins at least the value, B's to A's lets A win no more; rounding a probability by 1/20,000
      // costs a few times as much.
      const rounding = rounded ? 5e-4 : 1e-12;
      const [most, least] = secured;
      assert.ok(most > lower - 1e-12 && least < Number(upper) + 1e-12, `${name}: ${secured}`);
      assert.ok(most - least < rounding, `${name} is rounded too coarsely: ${secured}`);
      if (values[name] !== undefined) assert.ok(Math.abs(lower - values[name]) < 1e-9, `${name} is worth ${lower}`);
      if (!['leduc', 'liars-dice'].includes(name)) continue;
      const proved = native('solve', `@${name}`);
      assert.equal(nodes, proved.nodes, name);
      const known = new Map(proved.sets.map((set) => [`${set.player} ${set.set}`, set.actions]));
      for (const [place, player] of ['A', 'B'].entries()) {
        assert.equal(sets[place].length, proved.information_sets[place]);
        for (const { name: set, mixture, actions } of sets[place]) {
          const shares = known.get(`${player} ${set}`);
          assert.ok(shares, `${player} has a set ${set}`);
          for (const { action, probability } of mixture ? shares : [])
            assert.ok(Math.abs(mixture[actions.indexOf(action)] - probability) < 3e-4, `${name}: ${player} at ${set}: ${action}`);
        }
      }
    }
    await page.context().close();
  },

  async 'a game with hidden information is looked at, and played by keys until all is revealed'() {
    for (const [width, dark, lang] of [
      [360, true, 'de'],
      [1280, false, 'en'],
    ]) {
      const page = await open(`#games?game=kuhn&at=A%20Q&lang=${lang}`, { width, dark });
      await page.waitForSelector('#hidden-value');
      assert.equal(plain(await page.textContent('#hidden-value')), '-1/18');
      // By hand: B folds the jack and calls with the king, so that a bet of the queen wins 1 or loses 2.
      const bet = page.locator('#hidden-set tbody tr').nth(1);
      assert.deepEqual((await bet.locator('td').allTextContents()).map(plain), [
        '0 %',
        lang === 'de' ? '-0,5' : '-0.5',
        lang === 'de' ? '0,167' : '0.167',
      ]);
      assert.equal(await page.getAttribute('#hidden-set .playing-card', 'aria-label'), lang === 'de' ? 'Dame' : 'queen');
      assert.equal(await page.locator('#any-state:visible, #any-A:visible').count(), 0, 'nothing of games of states');
      await page.locator('#hidden-set + .fields select').selectOption('b');
      await page.locator('.any-list button', { hasText: lang === 'de' ? 'K setzen' : 'K bet' }).click();
      // By hand: the king always calls, and what the optimum does more often comes first.
      const choices = await page.locator('#hidden-set tbody :is(th, td:nth-child(2))').allTextContents();
      assert.deepEqual(choices, lang === 'de' ? ['setzen', '100 %', 'passen', '0 %'] : ['bet', '100 %', 'pass', '0 %']);
      await page.locator('.any-list button', { hasText: lang === 'de' ? 'J setzen' : 'J bet' }).click();
      await page.waitForFunction(() => location.hash.includes('at=B%20J%20bet'));
      // Each game ends with the other's card; the focus is where one plays.
      let balance = 0;
      for (let games = 1; games <= 6; games++) {
        while (!(await page.$('#hidden-over'))) {
          await page
            .locator('.hidden-action')
            .nth(games % 2)
            .focus();
          await page.keyboard.press('Enter');
          assert.ok(
            await page.evaluate(() => document.activeElement.matches('#hidden-table h3')),
            'the focus is on what is known',
          );
        }
        const end = await page.textContent('#hidden-over');
        const [, amount] = /(\d)\./.exec(end);
        balance += /lose|verlieren/.test(end) ? -amount : Number(amount);
        const cards = await page
          .locator('.hidden-log .playing-card')
          .evaluateAll((cards) => cards.map((card) => card.textContent));
        assert.equal(new Set(cards).size, 2, 'both cards are shown');
        assert.match(
          plain(await page.textContent('#hidden-table .card > .hint:last-child')),
          new RegExp(`${games}, .*: \\+?${balance}\\.`),
        );
        await page.locator('#hidden-again').focus();
        await page.keyboard.press('Enter');
      }
      await page.selectOption('#hidden-you', 'B');
      await page.waitForSelector('.hidden-action');
      await page.click('#hidden-hint');
      await page.waitForSelector('#hidden-table .hidden-actions');
      const overflow = (await page.evaluate(() => document.documentElement.scrollWidth)) - width;
      assert.ok(overflow <= 0, `${overflow} too wide`);
      await page.addScriptTag({ path: axe });
      const { violations } = await page.evaluate(() => axe.run());
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].target}`),
        [],
      );
      // Another game takes the place, and back.
      await page.click('#gallery [data-game=rps]');
      await page.waitForSelector('#any-value:visible');
      assert.equal(await page.locator('#hidden-table:visible').count(), 0);
      await page.click('#gallery [data-game=secret-inspection]');
      await page.waitForSelector('#hidden-value:visible');
      assert.equal(await page.textContent('#hidden-value'), '1/2');
      // In the other language the game is still there.
      await page.selectOption('#language', lang === 'de' ? 'en' : 'de');
      await page.waitForSelector('#hidden-value:visible');
      assert.equal(
        await page.textContent('#any-title:visible'),
        lang === 'de' ? 'A secret inspection' : 'Eine geheime Kontrolle',
      );
      await page.context().close();
    }
  },

  async 'a dropped game, two people at it, and a player from a file'() {
    const page = await open('#games?game=rps');
    await page.waitForSelector('#any-value');
    // An end is named after both actions and worth its name: the optimum is `down` against `left`.
    const lines = [
      { format: 'stochastic-game', version: 1, kind: 'acyclic', start: ['net'], title: 'Over the net' },
      {
        id: 'net',
        a: ['up', 'down'],
        b: ['left', 'right'],
        cells: ['1', '2'].map((up) => ['3', '4'].map((left) => ({ to: [['1', `${up}${left}`]] }))),
      },
      ...['13', '14', '23', '24'].map((id) => ({ id, value: id })),
    ];
    const carried = await page.evaluateHandle(
      (text) => {
        const carried = new DataTransfer();
        carried.items.add(new File([text], 'net.jsonl'));
        return carried;
      },
      lines.map((line) => JSON.stringify(line)).join('\n'),
    );
    await page.dispatchEvent('.drop:has(#any-file)', 'dragover', { dataTransfer: carried });
    assert.equal(await page.locator('.drop.over').count(), 1);
    await page.dispatchEvent('.drop:has(#any-file)', 'drop', { dataTransfer: carried });
    await page.waitForFunction(() => document.querySelector('#any-title').textContent === 'Over the net');
    assert.equal(await page.locator('.drop.over').count(), 0);
    const turn = async () => {
      await page.waitForSelector('.any-log li');
      return page.textContent('.any-log li');
    };
    // Two people: nothing happens before both have chosen, and a choice can be taken back.
    await page.selectOption('#any-B', 'person');
    await page.click('[data-key="A-0"]');
    await page.waitForSelector('[data-key="A-0"][aria-pressed="true"]');
    await page.click('[data-key="A-0"]');
    await page.waitForSelector('[data-key="A-0"][aria-pressed="false"]');
    await page.click('[data-key="A-0"]');
    await page.waitForSelector('[data-key="A-0"][aria-pressed="true"]');
    assert.equal(await page.locator('.any-log li').count(), 0);
    await page.click('[data-key="B-1"]');
    assert.match(await turn(), /^net: A up \(−10\), B right \(−1\) → 14$/);
    assert.deepEqual(await page.locator('.any-last[role="status"] p').allTextContents(), [
      'A: up (cost 10), B: right (cost 1) → 14',
      'The play is over: A receives +14.',
      'In sum, A’s actions have cost 10, B’s 1.',
    ]);
    // A player from a file plays what the file says, which no optimal player would; without one, the page asks for it.
    await page.click('[data-key="again"]');
    await page.selectOption('#any-B', 'file');
    await page.click('[data-key="A-1"]');
    await noticed(page, 'B');
    assert.equal(await page.locator('.any-log li').count(), 0);
    await page.setInputFiles('#any-policy-B', {
      name: 'right.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('state,player,action,probability\nnet,B,right,1\n'),
    });
    await page.waitForFunction(() => document.querySelector('#any-policy-B').value === '');
    await page.click('#any-draw');
    assert.match(await turn(), /^net: A down, B right \(−1\) → 24$/);
    await page.context().close();
  },

  async 'a player whose actions are drawn stays one, and a person takes over only when asked to'() {
    const page = await open('#games?game=rps');
    await page.waitForSelector('#any-value');
    const button = page.locator('.any-bar [data-key="B-0"]');
    assert.equal(await button.isDisabled(), true);
    assert.equal(await page.locator('.any-bar [data-key="A-0"]').isDisabled(), false);
    await button.click({ force: true });
    assert.equal(await page.inputValue('#any-B'), 'optimal');
    assert.equal(await page.locator('.any-log li').count(), 0);
    await page.focus('button:text-is("Choose for B yourself")');
    await page.keyboard.press('Enter');
    assert.equal(await page.inputValue('#any-B'), 'person');
    assert.equal(await page.evaluate(() => document.activeElement.matches('.any-bar [data-key="B-0"]')), true);
    await button.click();
    await page.waitForSelector('.any-bar [data-key="B-0"][aria-pressed="true"]');
    assert.equal(await page.locator('.any-log li').count(), 0, 'the other person has not chosen');
    await page.selectOption('#any-A', 'uniform');
    assert.equal(await page.locator('.any-bar [data-key="A-0"]').isDisabled(), true);
    assert.equal(await page.locator('.any-bar [aria-pressed="true"]').count(), 0, 'a choice lasts as long as the players');
    await page.context().close();
  },

  async 'after an error one click plays the turn, and the error goes; a player from a file is checked at once'() {
    const page = await open('#games?game=rps');
    await page.waitForSelector('#any-value');
    await page.selectOption('#any-B', 'person');
    await page.click('.any-bar [data-key="B-0"]');
    await page.waitForSelector('.any-bar [aria-pressed="true"]');
    await page.selectOption('#any-B', 'file');
    await page.click('.any-bar [data-key="A-0"]');
    await noticed(page, 'There is no file for B yet');
    assert.equal(await page.locator('.any-log li').count(), 0, 'what B had chosen is not played');
    assert.equal(await page.locator('.any-bar [aria-pressed="true"]').count(), 0);
    const policy = async (name, rows) => {
      const buffer = Buffer.from(`state,player,action,probability\n${rows}\n`);
      await page.setInputFiles('#any-policy-B', { name, mimeType: 'text/csv', buffer });
      await page.waitForFunction(() => document.querySelector('#any-policy-B').value === '');
    };
    await policy('nowhere.csv', 'nowhere,B,rock,1');
    await noticed(page, 'nowhere.csv: ');
    await policy('other.csv', 'round,A,paper,1');
    await noticed(page, 'other.csv: The file does not say how B plays.');
    await policy('paper.csv', 'round,B,paper,1');
    await page.waitForSelector('.file[for=any-policy-B] + .hint:text-is("plays as paper.csv says")');
    assert.equal(await page.textContent('#notice'), '');
    await page.click('.any-bar [data-key="A-0"]');
    await page.waitForSelector('.any-log li');
    assert.match(await page.textContent('.any-log li'), /, B paper →/);
    await page.context().close();
  },

  async 'matrix and graph fit, or their edges show that more is hidden'() {
    const rules = [['1/2', 'a longer name']];
    const state = { a: ['up', 'middle', 'down'], b: ['left', 'centre', 'right'] };
    const to = [...rules, ['1/4', 'won for A'], ['1/4', 'won for B']];
    const cells = state.a.map(() => state.b.map(() => ({ to })));
    const lines = [
      { format: 'stochastic-game', version: 1, kind: 'stopping', start: ['a longer name'], title: 'Nine ways' },
      { id: 'a longer name', ...state, cells },
      { id: 'won for A', value: '1' },
      { id: 'won for B', value: '-1' },
    ];
    const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    for (const [width, fits] of [
      [390, true],
      [1280, true],
      [320, false],
    ]) {
      const page = await open('#games?game=rps', { width });
      await page.waitForSelector('#any-value');
      await page.setInputFiles('#any-file', { name: 'nine.jsonl', mimeType: 'text/plain', buffer });
      await page.waitForFunction(() => document.querySelector('#any-title').textContent === 'Nine ways');
      await page.waitForSelector('[aria-label="a longer name"]');
      const parts = await page.$$eval('#panel-games .scroll:has(.any-matrix, .any-graph)', (parts) =>
        parts.map((part) => [
          part.scrollWidth <= part.clientWidth,
          getComputedStyle(part).backgroundImage.split('linear').length,
        ]),
      );
      assert.equal(parts.length, 2);
      for (const [inside, gradients] of parts) {
        if (fits) assert.ok(inside, `all of it is seen at ${width}`);
        assert.equal(gradients, 7, 'three shadows and three covers');
      }
      // Names stand on a background that is wider than what lines could cross.
      assert.ok(Number(await page.getAttribute('.any-graph text', 'stroke-width')) >= 6);
      await page.context().close();
    }
  },

  async 'while the solution is hidden, lists and colours do not tell it either'() {
    const page = await open('#games?game=snowball');
    await page.waitForSelector('.any-list li');
    await page.waitForSelector('.any-graph circle');
    const told = async () => {
      const [one] = await page.locator('.any-list li').allTextContents();
      const fills = await page.$$eval(
        '.any-graph circle',
        (circles) => new Set(circles.map((one) => one.getAttribute('fill'))).size,
      );
      return [/\d$/.test(one), fills > 1];
    };
    assert.deepEqual(await told(), [true, true]);
    await page.check('#any-hide');
    await page.waitForFunction(() => !/\d$/.test(document.querySelector('.any-list li').textContent));
    assert.deepEqual(await told(), [false, false]);
    assert.equal(await page.locator('#any-value, .any-matrix').count(), 0);
    await page.context().close();
  },

  async 'at the end of a play its discounted payoff is told'() {
    const turn = (id, reward, to) => ({ id, a: ['go'], b: ['go'], cells: [[{ reward, to: [['1', to]] }]] });
    const lines = [
      { format: 'stochastic-game', version: 1, kind: 'discounted', discount: '1/2', start: ['s'], title: 'Two steps' },
      turn('s', '1/3', 't'),
      turn('t', '2', 'e'),
      { id: 'e', value: '4' },
    ];
    const page = await open('#games?game=rps');
    await page.waitForSelector('#any-value');
    const buffer = Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
    await page.setInputFiles('#any-file', { name: 'steps.jsonl', mimeType: 'text/plain', buffer });
    await page.waitForFunction(() => document.querySelector('#any-title').textContent === 'Two steps');
    for (const turns of [1, 2]) {
      await page.click('#any-draw');
      await page.waitForFunction((turns) => document.querySelectorAll('.any-log li').length === turns, turns);
    }
    // By hand: 1/3 + 2/2 + 4/4.
    await page.waitForSelector('.any-last p:text-is("The play is over: A receives +2.333333.")');
    assert.equal(await page.textContent('#any-value'), '+4');
    assert.match(await page.textContent('#any-state'), /worth exactly 4/);
    await page.context().close();
  },

  async 'among games of any rules nothing speaks of Tennis'() {
    const page = await open('#games?game=rps');
    await page.waitForSelector('#any-value');
    assert.equal(await page.isVisible('#open-rules'), false);
    assert.match(await page.textContent('footer'), /Values are what A wins on average/);
    await page.keyboard.press('?');
    assert.equal(await page.locator('dialog').count(), 0);
    await page.click('#tab-judge');
    assert.equal(await page.isVisible('#open-rules'), true);
    assert.match(await page.textContent('footer'), /A hits toward the right/);
    await page.context().close();
  },

  async 'a link to a game or a state that is not there says so'() {
    for (const [link, said, name, state] of [
      ['#games?game=foo&at=x', 'has no game “foo”', 'rps', 'round'],
      ['#games?game=constructor', 'has no game “constructor”', 'rps', 'round'],
      ['#games?game=rps&at=nowhere', 'has no state “nowhere”', 'rps', 'round'],
    ]) {
      const page = await open(link);
      await noticed(page, said);
      assert.equal(await page.getAttribute('#gallery [aria-pressed=true]', 'data-game'), name);
      assert.equal(await page.textContent('#any-state h2'), state);
      // Tennis is solved after it, which must not take the notice away.
      await page.waitForTimeout(2000);
      await noticed(page, said);
      // On a page with an open game that one stays.
      await page.evaluate(() => (location.hash = '#games?game=gone'));
      await noticed(page, 'has no game “gone”');
      assert.equal(await page.getAttribute('#gallery [aria-pressed=true]', 'data-game'), name);
      assert.match(await query(page), new RegExp(`game=${name}`));
      await page.context().close();
    }
  },

  async 'a game of any rules by keys alone: the focus stays where one plays'() {
    const page = await open('#games?game=soccer', { width: 390, height: 844 });
    await page.waitForSelector('#any-value');
    const focused = () => page.evaluate(() => document.activeElement.dataset.key ?? document.activeElement.tagName);
    const turns = (count) => page.waitForFunction((count) => document.querySelectorAll('.any-log li').length === count, count);
    // On a phone the state comes before the choice of games, for eyes and keyboards alike.
    const order = () =>
      page.evaluate(() => {
        const [state, gallery] = ['#any-state', '#gallery'].map((one) => document.querySelector(one));
        const first = state.compareDocumentPosition(gallery) & Node.DOCUMENT_POSITION_FOLLOWING;
        return [Boolean(first), state.getBoundingClientRect().bottom < gallery.getBoundingClientRect().top];
      });
    assert.deepEqual(await order(), [true, true]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.waitForFunction(() => document.querySelector('#panel-games .column').firstChild.contains(gallery));
    assert.deepEqual(await order(), [false, false]);
    await page.setViewportSize({ width: 390, height: 844 });
    const state = () => document.querySelector('#panel-games .column').firstChild.contains(document.querySelector('#any-state'));
    await page.waitForFunction(state);
    // Where the window becomes wider or narrower, the focus stays, too.
    await page.focus('[data-key="A-4"]');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.waitForFunction(() => document.querySelector('#panel-games .column').firstChild.contains(gallery));
    assert.equal(await focused(), 'A-4');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.waitForFunction(state);
    await page.keyboard.press('Enter');
    await turns(1);
    assert.equal(await focused(), 'A-4');
    await page.focus('#any-draw');
    await page.keyboard.press('Space');
    await turns(2);
    assert.equal(await focused(), 'draw');
    await page.fill('#any-word', 'c2 d3 B');
    await page.waitForFunction(() => document.querySelectorAll('.any-list li').length === 1);
    await page.focus('.any-list button');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#any-state h2').textContent === 'c2 d3 B');
    assert.equal(await focused(), 'H2');
    await page.context().close();
  },

  async 'what is wrong with a game or a policy is said in German, too'() {
    const head = '{"format":"stochastic-game","version":1,"kind":"acyclic","start":["s"]}\n';
    const end = '{"id":"e","value":"0"}\n';
    const state = '{"id":"s","a":["x"],"b":["y","z"],"cells":[[{"to":[["1","e"]]},{"to":[["1","e"]]}]]}\n';
    const games = [
      '',
      'x',
      head,
      head.replace('stochastic-game', 'x'),
      head.replace('1,', '2,'),
      head.replace('acyclic', 'odd'),
      head.replace('acyclic', 'discounted'),
      head.replace('["s"]', '[]') + end + state,
      head.replace('start', 'begin'),
      head + end.replace('"0"', '0') + state,
      head + end.replace('"0"', '"a"') + state,
      head + end.replace('"0"', '"1e99"') + state,
      head + end + end + state,
      head + end + state.replace('"1"', '"1/2"'),
      head + end + state.replace('"1"', '"-1"'),
      head + end + state.replace('"e"', '"s"'),
      head + end + state.replace('"e"', '"f"'),
      head + end + state.replace('["1","e"]', '"e"'),
      head + end + state.replace('"y","z"', '"y"'),
      head + end + state.replace('"y","z"', '"y","y"'),
      head + end + state.replace('["x"]', '[]'),
      head + end + state.replace('["x"]', '["x","w"]'),
      head + end + state.replace('"cells"', '"cell"'),
      (head + end + state).slice(0, -9),
      head.replace('acyclic', 'recursive') + end + state.replace('{"to"', '{"reward":"1","to"'),
      head.replace('acyclic', 'stopping') + end + state.replace('"e"', '"s"'),
      head +
        end +
        state.replace(
          '["x"]',
          JSON.stringify(Array(100001).fill('')).replace(/""/g, () => `"${Math.random()}"`),
        ),
    ];
    const policies = [
      '',
      'state,player,action\n',
      'state,player,action,probability\n',
      ...['q,A,x,1', 's,C,x,1', 's,B,q,1', 'e,B,y,1', 's,B,y,0.2', 's,B,y,-1\ns,B,z,2', 's,B,y,a', 's,B,y,1\ns,B,y,0', 's,B'].map(
        (rows) => `state,player,action,probability\n${rows}\n`,
      ),
    ];
    const page = await open('#games?game=rps&lang=de');
    await page.waitForSelector('#any-value');
    const said = async (input, name, text) => {
      const status = page.locator(input === '#any-file' ? '#panel-games .card:has(#gallery) .status' : '#notice');
      await status.evaluate((element) => ((element.textContent = ''), element.classList.remove('wrong')));
      await page.setInputFiles(input, { name, mimeType: 'text/plain', buffer: Buffer.from(text) });
      await page.waitForSelector('#panel-games .status.wrong, #notice.wrong p');
      const sentence = await status.textContent();
      if (/\b(the|expected|is|are|has|not|no|of|line|there)\b/.test(sentence.replaceAll(/`.*?`|„.*?“/g, '')))
        english.push(sentence);
    };
    const english = [];
    for (const text of games) await said('#any-file', 'wrong.jsonl', text);
    await said('#any-file', 'kuhn.efg', 'EFG 2 R "kuhn" { "A" "B" }\n');
    const told = await page.locator('#panel-games .card:has(#gallery) .status').textContent();
    assert.match(told, /^kuhn\.efg: .* pencil-tennis explore kuhn\.efg$/);
    await page.setInputFiles('#any-file', {
      name: 'right.jsonl',
      mimeType: 'text/plain',
      buffer: Buffer.from(head + end + state),
    });
    await page.waitForFunction(() => document.querySelector('#any-title').textContent === 'right.jsonl');
    for (const text of policies) await said('#any-judged', 'wrong.csv', text);
    assert.deepEqual(english, []);
    await page.context().close();
  },
};

let failures = 0;
// ONLY=WORDS runs the tests whose names have them.
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(process.env.ONLY ?? ''))) {
  const before = complaints.length;
  // On a busy machine a browser may let a page starve that it takes for one in the background: a test that failed is tried again.
  for (const last of [false, true]) {
    try {
      await test();
      assert.deepEqual(complaints.slice(before), [], 'the page complained');
      console.log(`ok   ${name}`);
      break;
    } catch (error) {
      failures += last;
      complaints.length = before;
      console.log(`${last ? 'FAIL' : 'AGAIN'} ${name}\n${error.stack}`);
      await Promise.all(browser.contexts().map((context) => context.close()));
    }
  }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
