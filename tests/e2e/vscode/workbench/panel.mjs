// The results panel: tables, charts, timeline, answers of commands, export, themes, and what its page may load.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { cursor, goTo, openFile, panel, results, theme, until } from './helpers.mjs';

export async function resultsPanel(wb, test, picture) {
  const answered = (what, selector, least = 1) => until(what, async () => (await (await panel(wb)).locator(`#answer ${selector}`).count()) >= least);

  await test('the panel shows observations, charts and sessions', async () => {
    const frame = await results(wb, 'line.sq');
    await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 2);
    await until('bars of sessions', async () => (await frame.locator('#sessions .bar').count()) > 0);
    await picture('panel');
  });
  await test('a bar leads to its statement, a statement to its bars', async () => {
    const frame = await panel(wb);
    await frame.locator('#sessions .bar.running').first().click();
    await until('the cursor', async () => /Ln 14,/.test(await cursor(wb)));
    await until('its bars are lit', async () => (await frame.locator('.bar.lit').count()) > 0);
    await openFile(wb, 'line.sq');
    await goTo(wb, '1');
    await until('nothing is lit', async () => (await frame.locator('.bar.lit').count()) === 0);
  });
  await test('the timeline is zoomed and filtered', async () => {
    const frame = await panel(wb);
    const note = () => frame.locator('#sessions .controls .dim').textContent();
    const bars = () => frame.locator('#sessions .bar').count();
    const all = await bars();
    await frame.locator('#sessions input').fill('7');
    await until('one session', async () => /^1 shown of sessions/.test(await note()));
    assert.ok(await bars() < all);
    await frame.locator('#sessions input').fill('');
    await frame.locator('#sessions select').first().selectOption('rejected');
    await until('none', async () => /^0 shown/.test(await note()));
    await frame.locator('#sessions select').first().selectOption('');
    for (let i = 0; i < 3; i++) await frame.locator('#sessions button[title="Zoom in"]').click();
    await until('fewer bars', async () => (await bars()) < all);
    await frame.locator('#sessions button', { hasText: 'Whole run' }).click();
    await until('all bars', async () => (await bars()) === all);
  });
  await test('a pinned baseline is compared with a changed program', async () => {
    const frame = await panel(wb);
    await frame.locator('header button', { hasText: 'Pin' }).click();
    await until('the pin', async () => (await frame.locator('header button', { hasText: 'Unpin' }).count()) === 1);
    await openFile(wb, 'line.sq');
    await goTo(wb, '2:12');
    await wb.page.keyboard.press('Shift+End');
    await wb.page.keyboard.type(' 0.6;');
    await until('a change', async () => (await frame.locator('#observations .change').count()) > 0);
    await frame.locator('header button', { hasText: 'Compare' }).click();
    await answered('the table', 'tbody tr', 3);
    await picture('compare');
    await frame.locator('header button', { hasText: 'Unpin' }).click();
    await openFile(wb, 'line.sq');
    await wb.command('File: Revert File');
  });
  await test('the slowest request, a sweep and the automaton are drawn', async () => {
    const frame = await panel(wb);
    await until('a run', async () => (await frame.locator('header .pill').textContent()) === 'final');
    await frame.locator('header button', { hasText: 'Slowest' }).click();
    await answered('its parts', '.meter');
    await picture('slowest');
    await openFile(wb, 'line.sq');
    await wb.command('serQ: Sweep a Constant…');
    await wb.page.waitForSelector('.quick-input-list .monaco-list-row[aria-label*="rate"]');
    await wb.page.keyboard.press('Enter');
    await answered('the sweep', 'svg.intervals .point', 3);
    await picture('sweep');
    await openFile(wb, 'line.sq');
    await wb.command('serQ: Show Automaton');
    await answered('the automaton', 'svg.automaton .state', 3);
    await picture('automaton');
    await frame.locator('#answer svg.automaton .state[role]').first().click();
    await until('the cursor', async () => !/Ln 2,/.test(await cursor(wb)));
  });
  await test('the event log opens as a document', async () => {
    await openFile(wb, 'line.sq');
    await wb.command('serQ: Show Event Log');
    await until('the log', async () => !/line\.sq/.test(await wb.page.locator('.editor-group-container.active .tab.active').textContent()));
    await until('its lines', async () => (await wb.text()).some(text => /arrive/.test(text)));
    await picture('events');
    await wb.command('View: Close Editor');
  });
  await test('all numbers can be saved as CSV', async () => {
    const frame = await panel(wb);
    await frame.locator('header button', { hasText: 'CSV' }).click();
    const file = path.join(wb.folder, 'line-results.csv');
    await saved(wb, file);
    assert.match(fs.readFileSync(file, 'utf8'), /^kind,name,quantity,value,ci\nobserve,response,mean,/);
  });
  await test('drawings can be saved as SVG', async () => {
    const frame = await panel(wb);
    await frame.locator('header button', { hasText: 'SVG' }).click();
    const file = path.join(wb.folder, 'line-answer.svg');
    await saved(wb, file);
    assert.match(fs.readFileSync(file, 'utf8'), /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    await until('the other drawing', async () => /timeline\.svg/.test(await wb.page.locator('.quick-input-widget input').first().inputValue().catch(() => '')));
    await wb.page.keyboard.press('Escape');
  });
  await test('another theme redraws the panel', async () => {
    const frame = await panel(wb);
    const paper = () => frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await theme(wb, 'dark');
    await until('other colours', async () => (await paper()) !== light);
    await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 2);
    await picture('panel');
  });
  await test('the page of the panel loads nothing from outside and runs no inline script', () => contained(wb));
}

async function saved(wb, file) {
  const field = wb.page.locator('.quick-input-widget input').first();
  const asks = async () => (await field.inputValue({ timeout: 1000 }).catch(() => '')).endsWith(path.basename(file));
  await until('the dialog', asks);
  for (let tries = 0; tries < 5 && !fs.existsSync(file) && await asks(); tries++) { // it takes no key while it reads the folder
    await wb.page.keyboard.press('Enter');
    await until(`the file ${path.basename(file)}`, () => fs.existsSync(file), 3000).catch(() => {});
  }
  await until(`the file ${path.basename(file)}`, () => fs.existsSync(file));
}

/** The policy of the page, and that it is obeyed: no script without the nonce, no style element, no request. */
async function contained(wb) {
  const frame = await panel(wb);
  const policy = await frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'nonce-[\w-]+';/);
  assert.doesNotMatch(policy, /unsafe|connect-src|frame-src|object-src/);
  const bare = await frame.evaluate(() => [...document.body.querySelectorAll('script')].filter(script => script.nonce === '' || script.textContent.trim() !== '').length);
  assert.equal(bare, 0, 'scripts of the page: a file each, with the nonce'); // the editor's own stands in the head
  const broken = await frame.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.broken = 1';
    const button = document.createElement('button');
    button.setAttribute('onclick', 'window.broken = 2');
    document.body.append(script, button);
    button.click();
    const asked = await fetch('https://example.org/').then(() => 'answered', () => 'refused');
    script.remove();
    button.remove();
    return [window.broken ?? 0, asked];
  });
  assert.deepEqual(broken, [0, 'refused']);
}

/** A stuck program: its diagnostic, and the graph of who waits for whom. */
export async function deadlock(wb, test, picture) {
  await test('a stuck program shows its diagnostic and its wait-for graph', async () => {
    await openFile(wb, 'stuck.sq');
    await until('the diagnostic of the run', async () => (await wb.squiggles()).some(({ severity }) => severity === 'error' || severity === 'warning'));
    const frame = await results(wb, 'stuck.sq');
    await until('nodes', async () => (await frame.locator('#waitfor svg.graph .node').count()) >= 4);
    assert.ok(await frame.locator('#waitfor .edge.cycle').count() >= 4, 'the edges of the cycle are marked');
    await picture('deadlock');
  });
  await test('a node of the graph leads to the program', async () => {
    const frame = await panel(wb);
    await frame.locator('#waitfor .node.session').first().click();
    await until('the cursor', async () => !/Ln 1,/.test(await cursor(wb)));
  });
}

/** Every order of a small instance: the way into the deadlock, and an instance without one. */
export async function exploration(wb, test, picture) {
  const answer = async () => (await panel(wb)).locator('#answer');
  await test('exploring all orders finds the deadlock and shows the way there', async () => {
    await openFile(wb, 'stuck.sq');
    await wb.command('serQ: Explore All Orders');
    await until('the verdict', async () => /violated/.test(await (await answer()).textContent()));
    const steps = (await answer()).locator('.steps button');
    await until('the way', async () => (await steps.count()) >= 6);
    assert.match((await steps.allTextContents()).join('\n'), /session 1 waits/);
    await picture('explore');
    await goTo(wb, '1');
    await steps.last().click();
    await until('the cursor', async () => /Ln 1[02],/.test(await cursor(wb)));
    await until('the diagnostic', async () => (await wb.problems()).some(({ source, code }) => source === 'serq-explore' && /SQ1301/.test(code ?? '')));
    await wb.command('View: Hide Panel');
  });
  await test('a program without a deadlock holds in every order, of three sessions, too', async () => {
    await openFile(wb, 'line.sq');
    await wb.command('serQ: Explore All Orders');
    await until('the verdict', async () => /holds in every order/.test(await (await answer()).textContent()));
    const states = async () => Number(/(\d+) states, complete/.exec(await (await answer()).textContent())?.[1] ?? 0);
    const few = await states();
    await (await answer()).locator('button', { hasText: '3 sessions' }).click();
    await until('more states', async () => (await states()) > few);
  });
}

/** The shipped engine: numbers with intervals beside its statements, charts and sessions over the whole run. */
export async function example(wb, test, picture) {
  await test('examples/vllm.sq shows hints with numbers and its whole run', async () => {
    await openFile(wb, 'vllm.sq');
    await goTo(wb, '60');
    await until('an interval', async () => (await wb.hints()).some(({ label }) => /\d.*±\s*\d/.test(label)));
    await picture('vllm');
    const frame = await results(wb, 'vllm.sq');
    await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 2);
    const note = () => frame.locator('#sessions .controls .dim').textContent();
    await until('sessions', async () => /shown of sessions 0–\d+ of 400/.test(await note()));
    assert.doesNotMatch(await note(), /followed until|missing/, 'the timeline reaches the end of the run');
  });
}
