// Tests of the page in a real browser: node browser.mjs PAGE PROGRAM [CHROMIUM], where PROGRAM is the native pencil-tennis.
// The native program, whose results are tested elsewhere, says what is right; times are printed, not judged.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
const PATIENCE = 60_000;

const native = (...words) => JSON.parse(execFileSync(program, [...words, '--format', 'json'], { encoding: 'utf8' }));
const plain = (text) => text.replaceAll('−', '-');

const browser = await chromium.launch({ executablePath, args: FLAGS });
const complaints = [];

// A page at a link; whatever it says on the console or asks of a network is a complaint.
async function open(fragment, { width = 1280, height = 900, dark = false } = {}) {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    acceptDownloads: true,
  });
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
  await page.goto(`${address}${fragment}`);
  return page;
}

const shown = (page, state) => page.waitForFunction((state) => document.documentElement.dataset.shown === state, state);
const value = async (page) => plain(await page.textContent('#value'));
const query = (page) => page.evaluate(() => location.hash);

async function explored(state, options) {
  const page = await open(`#explore?state=${state}`, options);
  await shown(page, state);
  return page;
}

const tests = {
  async 'the first view, and its time'() {
    for (const attempt of ['cold', 'warm']) {
      const begin = performance.now();
      const page = await explored('50:50@0');
      console.log(`     first view, ${attempt}: ${Math.round(performance.now() - begin)} ms`);
      assert.equal(await value(page), '0');
      assert.equal(await page.locator('.bidchart.of-a .probability').count(), 9, 'the opening has nine bids');
      await page.context().close();
    }
  },

  async 'the example of the article: -1/5, two bids each'() {
    const page = await explored('4:3@-2');
    assert.equal(await value(page), '-0.2');
    assert.equal(plain(await page.textContent('#exact')), '-1/5');
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
    await page.waitForFunction(() => /certain, /.test(document.querySelector('.more-digits output').textContent));
    const text = plain(await page.textContent('.more-digits output'));
    assert.ok(text.startsWith(`${native('show', '50:50@-1', '--digits', '60').digits.lower} (`), text);
    console.log(`     60 digits at 50:50@-1: ${/([\d.]+) s\)/.exec(text)[1]} s`);
    await page.context().close();
  },

  async 'other rules, solved again, with time'() {
    const page = await explored('50:50@0');
    const solve = async () => {
      await page.click('.rules-form button[type=submit]');
      await page.waitForFunction(() => /solved in/.test(document.querySelector('.rules .status')?.textContent));
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
    await other.fill('#rules-scoring', '1,1,0,nonsense,-1');
    await other.click('.rules-form button[type=submit]');
    await other.waitForSelector('.rules .status.wrong');
    assert.match(await other.textContent('.rules .status'), /nonsense/);
    await other.context().close();
    const wrong = await open('#explore?scoring=nonsense');
    await wrong.waitForFunction(() => /cannot be solved; here is Tennis/.test(document.querySelector('#trouble')?.textContent));
    await shown(wrong, '50:50@0');
    await wrong.context().close();
  },

  async 'a long solve is shown and can be cancelled'() {
    const page = await explored('20:20@-1');
    await page.fill('#rules-pointsA', '400');
    await page.fill('#rules-pointsB', '400');
    await page.click('.rules-form button[type=submit]');
    await page.waitForFunction(() => document.querySelector('.rules progress').value > 0);
    await page.click('.rules-form button[type=button]');
    await page.waitForFunction(() => /solved in/.test(document.querySelector('.rules .status')?.textContent));
    await page.focus('.plane');
    await page.keyboard.press('ArrowDown');
    await shown(page, '19:20@-1');
    await page.context().close();
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
    assert.equal(secrets.length, promised.length);
    for (const [index, [text, sha256]] of secrets.entries()) {
      assert.equal(createHash('sha256').update(text).digest('hex'), sha256);
      assert.equal(sha256, promised[index], 'what was promised is what was revealed');
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
    assert.match(await page.textContent('#score'), /after 1 games/);
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
    await page.waitForFunction(() => /solved in/.test(document.querySelector('.rules .status')?.textContent));
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
      assert.equal(await exploitability(), 0, ending);
    }
    // The same file as an opponent, with sides exchanged after a game.
    await page.click('#tab-play');
    await page.selectOption('#opponent', 'opponent');
    await page.setInputFiles('#panel-play .drop input[type=file]', join(folder, 'optimal.npz'));
    for (let turn = 0; turn < 8 && !(await page.$('#verdict')); turn++) {
      await page.waitForSelector('#bid');
      await page.click('#submit-bid');
      await page.waitForFunction((turn) => document.querySelectorAll('.log tbody tr').length > turn, turn);
      await page.waitForSelector('#bid, #verdict');
    }
    assert.match(await page.inputValue('#record'), /# A: a person, B: optimal\.npz/);
    await page.click('#again + button');
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
    const [asA] = await page.$$eval('.figures tbody tr:first-child td', (cells) => cells.map((cell) => cell.textContent));
    assert.ok(Math.abs(Number(plain(asA)) - judgedNatively.best_response_value.b) < 1e-5);
    writeFileSync(path, 'a,b,ball,player,bid,probability\n1,1,0,A,7,1\n');
    await page.setInputFiles('#panel-judge input[type=file]', path);
    await page.waitForSelector('#panel-judge .status.wrong');
    assert.match(await page.textContent('#panel-judge .drop .status'), /bid 7/);
    await page.context().close();
  },

  async 'the lesson leads to -1/5'() {
    const page = await open('#learn');
    const step = (number) => page.waitForFunction((number) => document.documentElement.dataset.step === String(number), number);
    await step(1);
    await page.check('#learn-a-2');
    await page.check('#learn-b-1');
    await page.waitForFunction(() => document.querySelector('.lesson').textContent.includes('2:2@1'));
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
    const missing = await page.evaluate(async () => {
      const { STRINGS } = await import('page/strings.js');
      const [english, german] = [STRINGS.en, STRINGS.de];
      const holes = (text) =>
        (text?.match(/\{\w+\}/g) ?? [])
          .sort()
          .filter((hole, place, all) => hole !== all[place - 1])
          .join();
      const differing = [...new Set([...Object.keys(english), ...Object.keys(german)])].filter(
        (key) => holes(english[key]) !== holes(german[key]) || !english[key] || !german[key],
      );
      const sources = [...document.querySelectorAll('script[data-module]')].map((script) => script.textContent).join('\n');
      const asked = [...sources.matchAll(/\bt\('([^']+)'/g)].map((match) => match[1]);
      return [...differing, ...asked.filter((key) => !english[key])];
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
      [390, true, 'de'],
      [1280, false, 'en'],
      [2560, true, 'en'],
    ]) {
      for (const section of ['explore', 'play', 'judge', 'learn']) {
        const page = await open(`#${section}?points=14:14&state=14:14@-1&lang=${language}`, { width, dark });
        const ready = {
          explore: 'html[data-shown]',
          play: '#bid',
          judge: '.rules .status:has-text("14")',
          learn: 'html[data-step] .lesson-matrix',
        };
        await page.waitForSelector(section === 'judge' ? '.rules form' : ready[section], { state: 'attached' });
        if (section === 'judge') {
          await page.click('#judge-uniform');
          await page.waitForSelector('#exploitability');
        }
        if (section === 'play') {
          for (let turn = 0; turn < 14 && !(await page.$('#verdict')); turn++) {
            await page.click('#submit-bid');
            await page.waitForFunction((turn) => document.querySelectorAll('.log tbody tr').length > turn, turn);
            await page.waitForSelector('#bid, #verdict');
          }
        }
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
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
};

let failures = 0;
for (const [name, test] of Object.entries(tests)) {
  const before = complaints.length;
  try {
    await test();
    assert.deepEqual(complaints.slice(before), [], 'the page complained');
    console.log(`ok   ${name}`);
  } catch (error) {
    failures++;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
