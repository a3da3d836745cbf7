// What the workbench tests share: waiting, moving about in the editor, counting.
import assert from 'node:assert/strict';

/** Waits until a question has a truthy answer, and returns it. */
export async function until(what, question, ms = 60000) {
  for (const end = Date.now() + ms; ;) {
    const answer = await question();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

/** What the hover at a place says, once it says something that matches; on a crowded machine a hover may not open at first. */
export async function hovered(wb, place, expected) {
  let said = '';
  for (let tries = 0; tries < 4; tries++) {
    said = (await wb.hover(place)).rows.join('\n');
    if (expected.test(said)) break;
    await wb.page.mouse.move(5, 5);
  }
  return said;
}

/** Counts tests, names each with its time, and goes on after a failed one. */
export function tester() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const test = async (name, body) => {
    const began = Date.now();
    try {
      await body();
      counts.passed++;
      console.log(`  ok ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
    } catch (error) {
      counts.failed++;
      console.log(`  FAILED ${name}: ${error.stack ?? error}`);
    }
  };
  return { counts, test };
}

/** Where the cursor is, as the status bar says it. */
export const cursor = wb => wb.page.locator('#status\\.editor\\.selection').textContent();

/** Puts the cursor on 'LINE' or 'LINE:COL'. */
export async function goTo(wb, place) {
  await wb.page.keyboard.press('Control+G');
  await wb.page.waitForSelector('.quick-input-widget input');
  await wb.page.keyboard.type(place);
  await wb.page.keyboard.press('Enter');
  const [line, column = '1'] = place.split(':');
  await until(`the cursor at ${place}`, async () => (await cursor(wb)).startsWith(`Ln ${line}, Col ${column}`));
}

/** Chooses the row of the open list that holds a text, once the list shows it. */
export async function chooseRow(wb, text) {
  const row = wb.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  await row.waitFor();
  await row.click();
}

/** Clicks a text of the editor, or 'LINE:COL'. */
export async function click(wb, target, nth = 0) {
  const at = await wb.page.evaluate(([t, n]) => globalThis.vsh.locate(t, n), [target, nth]);
  assert.ok(at, `not on the screen: ${target}`);
  await wb.page.mouse.click(at.box.x + at.box.width / 2, at.box.y + at.box.height / 2);
}

const ACTIVE_TAB = '.editor-group-container.active .tab.active';

/** Waits until the editor in front has a name. */
export async function inFront(wb, name) {
  await until(`the editor ${name}`, async () => ((await wb.page.locator(ACTIVE_TAB).textContent().catch(() => '')) ?? '').includes(name));
}

/** Opens a file of the workspace by its name, in the first group of editors. */
export async function openFile(wb, name) {
  await wb.page.keyboard.press('Control+1');
  await wb.choose('Control+P', name, name);
  await inFront(wb, name);
}

/** A new program with this text in front; `leave` throws it away. */
export async function newProgram(wb, text) {
  await wb.page.keyboard.press('Escape');
  await wb.command('serQ: New Program');
  await inFront(wb, 'Untitled');
  const shown = async () => (await wb.text()).join('\n') === text;
  await wb.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  for (let tries = 0; !await shown(); tries++) { // keys may still be lost
    if (tries === 5) throw new Error('the new program does not take the text');
    await wb.page.keyboard.press('Control+A');
    await wb.page.keyboard.press('Delete');
    if (text !== '') await wb.page.keyboard.insertText(text);
    await until('the text', shown, 3000).catch(() => {});
  }
}

export async function leave(wb) {
  const tabs = () => wb.page.locator('.editor-group-container .tab').count();
  const before = await tabs();
  await wb.page.keyboard.press('Escape');
  await wb.command('File: Revert and Close Editor');
  await until('an editor less', async () => await tabs() < before);
}

/** The frame of the results panel, once its page is there. */
export async function panel(wb) {
  return until('the panel', async () => {
    for (const frame of wb.page.frames()) {
      if (await frame.locator('main#root header').count().catch(() => 0)) return frame;
    }
    return undefined;
  });
}

/** Opens the results of the program in front; resolves when they are drawn. */
export async function results(wb, file) {
  await wb.command('serQ: Show Results');
  const frame = await panel(wb);
  await until(`the results of ${file}`, async () => (await frame.locator('header h1').textContent()) === file);
  await until('its observations', async () => (await frame.locator('#observations tbody tr').count()) > 0);
  return frame;
}

/** The theme's kind. */
export const shownTheme = wb => wb.page.locator('.monaco-workbench').first().evaluate(element => (element.classList.contains('vs-dark') ? 'dark' : 'light'));

/** Changes to the light or the dark theme. */
export async function theme(wb, kind) {
  if (await shownTheme(wb) === kind) return;
  await wb.command('Preferences: Toggle between Light/Dark Themes');
  await until(`a ${kind} theme`, async () => (await shownTheme(wb)) === kind);
}

/** A number in one of the hints. */
export const numbered = async wb => (await wb.hints()).some(({ label }) => /\d/.test(label));
