// One program in the editor: numbers beside its statements, the status item, definitions, snippets.
import assert from 'node:assert/strict';
import { chooseRow, click, cursor, goTo, hovered, leave, newProgram, numbered, until } from './helpers.mjs';

export async function program(wb, test, picture) {
  await test('results are hints with numbers', () => until('hints', () => numbered(wb)));
  await test('the status bar says how the run went', () =>
    until('the item', async () => /serQ: (steady|few-samples)/.test(await wb.page.locator('[id="serq-lsp.serq.serq.status"]').textContent())));
  await test('a hover says what a name is and when it is read', async () => {
    assert.match(await hovered(wb, 'response', /response/), /response/);
    await picture('hover');
    await wb.page.mouse.move(5, 5);
  });
  await test('go to definition lands on the pool', async () => {
    await click(wb, 'kv', 1);
    await wb.page.keyboard.press('F12');
    await until('line 4', async () => /Ln 4,/.test(await cursor(wb)));
  });
  await test('a snippet makes a program without a mistake, and the cursor goes from field to field', async () => {
    const { page } = wb;
    try {
      await newProgram(wb, '');
      await wb.command('Snippets: Insert Snippet');
      await page.waitForSelector('.quick-input-widget input');
      await page.keyboard.type('program');
      await chooseRow(wb, 'A complete first program');
      await until('the program', async () => (await wb.text()).join('\n').includes('observe'));
      await page.keyboard.type('0.5');
      await page.keyboard.press('Tab');
      await page.keyboard.type('desk');
      for (const part of [/let rate = 0\.5;/, /stage desk : fifo;/, /run desk \(/]) {
        await until(`${part}`, async () => part.test((await wb.text()).join('\n')), 10000);
      }
      await page.keyboard.press('Escape');
      await until('its numbers', () => numbered(wb));
      await until('no mistake', async () => (await wb.squiggles()).every(({ severity }) => severity !== 'error'), 15000);
    } finally {
      await leave(wb);
    }
  });
  await test('a block folds, and the line after an opening brace is indented', async () => {
    const { page } = wb;
    const before = (await wb.text()).length;
    await goTo(wb, '7');
    await page.keyboard.press('Control+Shift+BracketLeft');
    await until('fewer lines', async () => (await wb.text()).length < before);
    await page.keyboard.press('Control+Shift+BracketRight');
    await until('all lines', async () => (await wb.text()).length === before);
  });
}
