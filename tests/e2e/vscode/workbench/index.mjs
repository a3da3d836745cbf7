// The groups of workbench tests: which workbench they start, and the order of what is done in it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { failures } from './failures.mjs';
import { numbered, openFile, shownTheme, tester, theme, until } from './helpers.mjs';
import { licence } from './licence.mjs';
import { mistakes } from './mistakes.mjs';
import { deadlock, example, exploration, resultsPanel } from './panel.mjs';
import { program } from './program.mjs';
import { tools } from './tools.mjs';

export const SIZE = { width: 1500, height: 1000 };

/** Settings of every workbench that is looked at: nothing that moves by itself. */
export const CALM = { 'editor.autoIndent': 'none', 'editor.autoClosingBrackets': 'never', 'editor.stickyScroll.enabled': false };

/** A folder with the programs of the tests and the examples that are looked at. */
export function workspaceOf({ root, here }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'serq-workspace-'));
  fs.cpSync(path.join(here, 'fixtures/workspace'), folder, { recursive: true });
  for (const name of ['mm1.sq', 'vllm.sq', 'lib']) fs.cpSync(path.join(root, 'examples', name), path.join(folder, name), { recursive: true });
  return folder;
}

/** What a person is told when there is no server that works. */
export async function failureTests(context) {
  const { counts, test } = tester();
  await failures(context, test);
  return counts;
}

/** One workbench with the packaged server: everything that a person does, from the first program to the deadlock. */
export async function workbenchTests({ packaged, here, root, out, startWorkbench, withPython }) {
  const { counts, test } = tester();
  const workspace = workspaceOf({ root, here });
  const wb = await startWorkbench({
    vsix: [packaged], workspace, open: 'line.sq', env: withPython, viewport: SIZE, settings: { ...CALM, 'workbench.colorTheme': 'Default Light Modern' },
  });
  const picture = async name => wb.page.screenshot({ path: path.join(out, `${name}-${await shownTheme(wb)}.png`) });
  try {
    await program(wb, test, picture);
    await mistakes(wb, test, picture);
    await licence(wb, test, picture);
    await tools(wb, test, picture);
    await resultsPanel(wb, test, picture);
    await deadlock(wb, test, picture);
    await exploration(wb, test, picture);
    await example(wb, test, picture);
    await theme(wb, 'light');
    await openFile(wb, 'vllm.sq');
    await until('its numbers', () => numbered(wb));
    await wb.still();
    await picture('vllm');
  } catch (error) {
    await picture('broken');
    throw error;
  } finally {
    await wb.close();
    fs.rmSync(workspace, { recursive: true, force: true });
  }
  return counts;
}
