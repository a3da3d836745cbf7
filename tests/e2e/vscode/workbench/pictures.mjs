// The pictures of the documentation, taken with the packaged server: node run.mjs --only pictures --out docs/images
// SERQ_PICTURES=editor,panel-dark takes some of them only.
import fs from 'node:fs';
import path from 'node:path';
import { CALM, workspaceOf } from './index.mjs';
import { goTo, leave, numbered, openFile, results, tester, theme, until } from './helpers.mjs';

const SMALL = { width: 1180, height: 720 };
const WIDE = { width: 1500, height: 1000 };

/** Takes all pictures in one workbench; each is counted as a test. */
export async function takePictures({ packaged, root, here, out, startWorkbench, withPython }) {
  const { counts, test } = tester();
  const workspace = workspaceOf({ root, here });
  const wb = await startWorkbench({
    vsix: [packaged], workspace, open: 'mm1.sq', env: withPython, viewport: SMALL, settings: { ...CALM, 'workbench.colorTheme': 'Default Light Modern' },
  });
  const wanted = process.env.SERQ_PICTURES?.split(',');
  const take = async (name, kind, viewport, prepare) => {
    if (wanted !== undefined && !wanted.includes(name)) return;
    await test(`${name}.png`, async () => {
      await wb.page.setViewportSize(viewport);
      await theme(wb, kind);
      await prepare();
      await wb.still();
      await wb.page.screenshot({ path: path.join(out, `${name}.png`) });
      await wb.page.mouse.move(viewport.width - 5, viewport.height - 5);
    });
  };
  try {
    await until('hints', () => numbered(wb));
    await wb.page.keyboard.press('Control+B'); // the side bar away: the program is the picture
    for (const [suffix, kind] of [['', 'light'], ['-dark', 'dark']]) {
      await take(`editor${suffix}`, kind, SMALL, () => mistake(wb));
      await take(`fix${suffix}`, kind, SMALL, () => fix(wb));
      await take(`panel${suffix}`, kind, WIDE, () => engine(wb));
      await take(`sessions${suffix}`, kind, WIDE, () => sessions(wb));
      await take(`deadlock${suffix}`, kind, { width: 1400, height: 640 }, () => deadlock(wb));
      await closeOthers(wb);
    }
  } finally {
    await wb.close();
    fs.rmSync(workspace, { recursive: true, force: true });
  }
  return counts;
}

/** Closes every editor, also one with a mistake that was typed for a picture. */
const closeOthers = async wb => {
  while (await wb.page.locator('.editor-group-container .tab').count() > 0) await leave(wb);
};

/** A program with its numbers, and below them a mistake with what the hover says about it. */
async function mistake(wb) {
  await openFile(wb, 'mm1.sq');
  await until('hints', () => numbered(wb));
  const { line } = await wb.page.evaluate(() => globalThis.vsh.locate('observe response', 0));
  await goTo(wb, `${line + 1}:1`); // below it, so that the hover leaves its numbers in sight
  await wb.page.keyboard.insertText('  observe late = decoding;\n');
  await until('the squiggle', async () => (await wb.squiggles()).some(({ text }) => text.startsWith('decoding')));
  await wb.still();
  await wb.hover('decoding');
}

/** The menu with the fix of the mistake that `mistake` made. */
async function fix(wb) {
  await openFile(wb, 'mm1.sq');
  const { line, col } = (await wb.squiggles()).find(({ text }) => text.startsWith('decoding'));
  await wb.page.keyboard.press('Escape');
  await goTo(wb, `${line}:${col}`);
  await wb.page.keyboard.press('Control+.');
  await wb.page.waitForSelector('.action-widget .monaco-list-row.action');
}

async function engine(wb) {
  await wb.page.keyboard.press('Escape');
  await openFile(wb, 'mm1.sq');
  await wb.command('File: Revert File');
  await closeOthers(wb);
  await openFile(wb, 'vllm.sq');
  const frame = await results(wb, 'vllm.sq');
  await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 2);
  await openFile(wb, 'vllm.sq');
  await goTo(wb, '60');
}

async function sessions(wb) {
  await openFile(wb, 'vllm.sq');
  const frame = await results(wb, 'vllm.sq');
  await until('bars', async () => (await frame.locator('#sessions .bar').count()) > 0);
  for (let i = 0; i < 2; i++) await frame.locator('#sessions button[title="Zoom in"]').click();
  await frame.locator('#sessions').evaluate(element => element.scrollIntoView());
  await openFile(wb, 'vllm.sq');
  await goTo(wb, '65'); // the hold: its bars are marked
}

async function deadlock(wb) {
  await openFile(wb, 'stuck.sq');
  const frame = await results(wb, 'stuck.sq');
  await until('the graph', async () => (await frame.locator('#waitfor svg.graph .node').count()) >= 4);
  await openFile(wb, 'stuck.sq');
}
