// The pictures of the documentation, taken with the packaged server: node run.mjs --only pictures --out docs/images
// SERQ_PICTURES=editor,panel takes some of them only.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { goTo, panel, until } from './tests.mjs';

/** Takes all pictures; returns how many were taken as `passed`. */
export async function takePictures({ packaged, root, out, startWorkbench, withPython }) {
  const counts = { passed: 0, failed: 0 };
  const workspace = fs.mkdtempSync(path.join(os.tmpdir(), 'serq-pictures-'));
  for (const name of ['mm1.sq', 'vllm.sq', 'lib']) fs.cpSync(path.join(root, 'examples', name), path.join(workspace, name), { recursive: true });
  fs.copyFileSync(path.join(root, 'tests/e2e/vscode/fixtures/workspace/stuck.sq'), path.join(workspace, 'stuck.sq'));
  const launch = (open, theme, viewport) => startWorkbench({
    vsix: [packaged], workspace, open, env: withPython, viewport,
    settings: { 'workbench.colorTheme': theme, 'editor.autoIndent': 'none', 'editor.autoClosingBrackets': 'never', 'editor.stickyScroll.enabled': false },
  });
  const wanted = process.env.SERQ_PICTURES?.split(',');
  const take = async (name, open, theme, viewport, prepare) => {
    if (wanted !== undefined && !wanted.includes(name)) return;
    const wb = await launch(open, theme, viewport);
    try {
      await until('hints', async () => (await wb.hints()).some(({ label }) => /\d/.test(label)));
      await wb.page.keyboard.press('Control+B'); // the side bar away: the program is the picture
      await prepare(wb);
      await wb.page.waitForTimeout(1500);
      await wb.page.screenshot({ path: path.join(out, `${name}.png`) });
      counts.passed++;
      console.log(`  ok ${name}.png`);
    } catch (error) {
      counts.failed++;
      console.log(`  FAILED ${name}.png: ${error.stack ?? error}`);
    } finally {
      await wb.close();
    }
  };

  const mistake = async wb => {
    const line = await wb.page.evaluate(() => globalThis.vsh.locate('observe response', 0).line);
    await goTo(wb, `${line + 1}:1`); // below it, so that the hover leaves its numbers in sight
    await wb.page.keyboard.insertText('  observe late = decoding;\n');
    await until('the squiggle', async () => (await wb.squiggles()).some(({ text }) => text.startsWith('decoding')));
    await wb.page.waitForTimeout(500);
    await wb.hover('decoding');
  };
  const small = { width: 1180, height: 720 };
  await take('editor', 'mm1.sq', 'Default Light Modern', small, mistake);
  await take('editor-dark', 'mm1.sq', 'Default Dark Modern', small, mistake);

  const wide = { width: 1500, height: 1000 };
  const results = async wb => {
    await wb.command('serQ: Show Results');
    const frame = await panel(wb);
    await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 1);
    await goTo(wb, '60');
  };
  await take('panel', 'vllm.sq', 'Default Light Modern', wide, results);
  await take('panel-dark', 'vllm.sq', 'Default Dark Modern', wide, results);
  await take('sessions', 'vllm.sq', 'Default Light Modern', wide, async wb => {
    await results(wb);
    const frame = await panel(wb);
    await until('bars', async () => (await frame.locator('#sessions .bar').count()) > 0);
    await frame.locator('#sessions').evaluate(element => element.scrollIntoView());
  });
  await take('deadlock', 'stuck.sq', 'Default Light Modern', { width: 1400, height: 640 }, async wb => {
    await wb.command('serQ: Show Results');
    const frame = await panel(wb);
    await until('the graph', async () => (await frame.locator('#waitfor svg.graph .node').count()) >= 4);
  });
  fs.rmSync(workspace, { recursive: true, force: true });
  return counts;
}
