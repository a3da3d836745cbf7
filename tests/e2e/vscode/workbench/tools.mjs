// What stands around the editor: the status menu, tasks with their problem matcher, the Test Explorer, the walkthrough, icons.
import assert from 'node:assert/strict';
import { chooseRow, click, cursor, inFront, leave, openFile, until } from './helpers.mjs';

export async function tools(wb, test, picture) {
  const { page } = wb;
  const rows = () => page.locator('.quick-input-list .monaco-list-row').allTextContents();

  await test('the status item opens a menu', async () => {
    await openFile(wb, 'line.sq');
    await page.locator('[id="serq-lsp.serq.serq.status"] a').click();
    await page.waitForSelector('.quick-input-list .monaco-list-row');
    const shown = (await rows()).join('\n');
    for (const entry of [/Run simulation/, /Show results/, /Pin results/, /Sweep a constant/, /Show automaton/]) assert.match(shown, entry);
    await picture('menu');
    await page.keyboard.press('Escape');
  });
  await test('a task checks all programs, and its findings are problems', async () => {
    await openFile(wb, 'line.sq');
    const there = async () => (await wb.problems()).some(({ code, file, line, message, source }) =>
      /SQ0301/.test(code ?? '') && file === 'wrong.sq' && line === 5 && /decoding/.test(message) && /serq-lsp/.test(source ?? ''));
    for (let tries = 1; ; tries++) { // a program this short may end before its terminal is read
      await wb.command('Tasks: Run Task');
      await page.waitForSelector('.quick-input-list .monaco-list-row');
      await page.keyboard.type('serq');
      await page.keyboard.press('Enter');
      await until('the tasks', async () => (await rows()).some(text => text.includes('check all programs')));
      await page.locator('.quick-input-list .monaco-list-row', { hasText: 'check all programs' }).first().click();
      const found = await until('the problem', there, 15000).catch(error => { if (tries === 3) throw error; });
      if (found) break;
      await openFile(wb, 'line.sq');
    }
    await picture('task');
    await wb.command('View: Hide Panel');
  });
  await test('the Test Explorer runs the tests of a program', async () => {
    await openFile(wb, 'stuck.sq');
    await openFile(wb, 'line.sq');
    await wb.command('Testing: Focus on Test Explorer View');
    const tree = page.locator('.test-explorer-tree');
    await until('the programs', async () => /line\.sq/.test(await tree.textContent()));
    await wb.command('Test: Run All Tests');
    await until('one passed, one failed', async () => {
      const icons = await tree.locator('.computed-state').evaluateAll(list => list.map(each => each.className).join(' '));
      return /testing-passed/.test(icons) && /testing-failed/.test(icons);
    });
    await picture('tests');
    await wb.command('View: Hide Panel');
  });
  await test('programs have their icon', async () => {
    await wb.command('File: Focus on Files Explorer');
    const label = page.locator('.explorer-folders-view .monaco-icon-label', { hasText: 'line.sq' }).first();
    await label.waitFor();
    const image = await label.evaluate(element => getComputedStyle(element, '::before').backgroundImage);
    assert.match(image, /file-(light|dark)\.svg/);
  });
  await test('the walkthrough leads to a first program', async () => {
    await wb.command('Welcome: Open Walkthrough...');
    await page.waitForSelector('.quick-input-list .monaco-list-row');
    await page.keyboard.type('A first serQ program');
    await chooseRow(wb, 'A first serQ program');
    const steps = page.locator('.gettingStartedContainer .step-title');
    await until('the steps', async () => (await steps.count()) >= 4);
    assert.deepEqual((await steps.allTextContents()).slice(0, 4), ['Write a program', 'Read what it says', 'Run it', 'Change a constant']);
    await wb.still();
    await picture('walkthrough');
    await page.locator('.gettingStartedContainer .monaco-button', { hasText: 'New Program' }).first().click();
    await inFront(wb, 'Untitled');
    await leave(wb);
    await openFile(wb, 'line.sq');
    await click(wb, 'workload');
    await until('the cursor', async () => /Ln 7,/.test(await cursor(wb)));
  });
}
