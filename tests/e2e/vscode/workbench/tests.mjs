// What a person sees: hints, squiggles, hovers, quick fixes, definitions, the panel, notifications.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

/** Runs the named group of tests; returns how many passed and failed. */
export async function workbenchTests(group, context) {
  const counts = { passed: 0, failed: 0 };
  const test = async (name, body) => {
    try {
      await body();
      counts.passed++;
      console.log(`  ok ${name}`);
    } catch (error) {
      counts.failed++;
      console.log(`  FAILED ${name}: ${error.stack ?? error}`);
    }
  };
  await { failures, workbench }[group](context, test);
  return counts;
}

export async function until(what, question, ms = 60000) {
  for (const end = Date.now() + ms; ;) {
    const answer = await question();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

/** Notifications when the server cannot be started or does not fit. */
async function failures({ packaged, here, startWorkbench, withNothing, withStub }, test) {
  const workspace = path.join(here, 'fixtures/workspace');
  const shown = async (env, name, check) => test(name, async () => {
    const wb = await startWorkbench({ vsix: [packaged], workspace, open: 'line.sq', env });
    try {
      await until('a notification', async () => (await wb.notifications()).length > 0);
      await wb.page.waitForTimeout(1500);
      const buttons = await wb.page.locator('.notification-list-item-buttons-container .monaco-button').allTextContents();
      check(await wb.notifications(), buttons);
    } finally {
      await wb.close();
    }
  });
  await shown(withNothing, 'without Python one notification offers what helps', (messages, buttons) => {
    assert.equal(messages.length, 1, messages.join(' | '));
    assert.match(messages[0], /needs Python 3\.11/);
    assert.deepEqual(buttons.sort(), ['Get Python', 'Set Python Path']);
  });
  await shown({ ...withStub, SERQ_STUB_PROTOCOL: '2' }, 'a server of another protocol is named once', (messages, buttons) => {
    assert.equal(messages.length, 1, messages.join(' | '));
    assert.match(messages[0], /do not match: update the extension/);
    assert.deepEqual(buttons, ['Print Environment']);
  });
  await shown({ ...withStub, SERQ_STUB_DIES: '1' }, 'a server that dies at once gives one notification', (messages, buttons) => {
    assert.equal(messages.length, 1, messages.join(' | '));
    assert.match(messages[0], /did not start/);
    assert.deepEqual(buttons.sort(), ['Restart', 'Show Logs']);
  });
}

/** The editor and the panel, in a light and a dark theme. */
async function workbench({ packaged, here, root, out, startWorkbench, env, label }, test) {
  const workspace = path.join(here, 'fixtures/workspace');
  const size = { width: 1500, height: 1000 };
  const launch = (open, theme) => startWorkbench({
    vsix: [packaged], workspace, open, env, viewport: size, settings: { 'workbench.colorTheme': theme, 'editor.autoIndent': 'none', 'editor.autoClosingBrackets': 'never' },
  });
  const picture = (wb, name) => wb.page.screenshot({ path: path.join(out, `${label}-${name}.png`) });

  let wb = await launch('line.sq', 'Default Light Modern');
  try {
    await test('results are hints with numbers', async () => {
      await until('hints', async () => (await wb.hints()).some(({ label: text }) => /\d/.test(text)));
    });
    await test('the status bar says how the run went', async () => {
      await until('the item', async () => /serQ/.test(await wb.page.locator('[id="serq-lsp.serq.serq.status"]').textContent()));
    });
    await test('go to definition lands on the pool', async () => {
      await click(wb, 'kv', 1);
      await wb.page.keyboard.press('F12');
      await until('line 4', async () => /Ln 4/.test(await wb.page.locator('#status\\.editor\\.selection').textContent()));
    });
    await picture(wb, 'editor-light');
    const fixed = [];
    for (const mistake of MISTAKES) {
      await test(`${mistake.name}: squiggle and hover, and its quick fix where there is one`, async () => {
        if (await showMistake(wb, mistake, picture)) fixed.push(mistake.mark);
      });
    }
    await test('a quick fix takes a mistake away', () => {
      console.log(`    (quick fixes applied to: ${fixed.join(', ') || 'none'})`);
      assert.ok(fixed.length > 0);
    });
    await test('the panel shows observations, charts and sessions', async () => {
      await wb.command('serQ: Show Results');
      const frame = await panel(wb);
      await until('the table', async () => (await frame.locator('#observations tbody tr').count()) > 0);
      await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 1);
      assert.ok(await frame.locator('#sessions .bar').count() > 0, 'bars of sessions');
      await picture(wb, 'panel-light');
    });
    await test('a bar leads to its statement', async () => {
      const frame = await panel(wb);
      await frame.locator('#sessions .bar.running').first().click();
      await until('the cursor', async () => /Ln 14/.test(await wb.page.locator('#status\\.editor\\.selection').textContent()));
      await until('its bars are lit', async () => (await frame.locator('.bar.lit').count()) > 0);
    });
    await test('a sweep and the automaton are drawn', async () => {
      const frame = await panel(wb);
      await wb.command('serQ: Sweep a Constant');
      await wb.page.waitForTimeout(1000);
      await wb.page.keyboard.press('Enter');
      await until('the sweep', async () => (await frame.locator('#answer svg.intervals .point').count()) >= 3);
      await picture(wb, 'sweep-light');
      await wb.command('serQ: Show Automaton');
      await until('the automaton', async () => (await frame.locator('#answer svg.automaton .state').count()) >= 3);
      await picture(wb, 'automaton-light');
    });
    await test('all numbers can be saved as CSV', async () => {
      const frame = await panel(wb);
      await frame.locator('header button', { hasText: 'CSV' }).click();
      await wb.page.waitForSelector('.quick-input-widget input');
      await wb.page.waitForTimeout(500);
      await wb.page.keyboard.press('Enter');
      const file = path.join(wb.folder, 'line-results.csv');
      await until('the file', () => fs.existsSync(file));
      assert.match(fs.readFileSync(file, 'utf8'), /^kind,name,quantity,value,ci\nobserve,response,mean,/);
    });
    await test('another theme redraws the charts', async () => {
      const frame = await panel(wb);
      const ink = () => frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const light = await ink();
      await wb.command('Preferences: Toggle between Light/Dark Themes');
      await until('other colours', async () => (await ink()) !== light);
      await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 1);
      await wb.page.waitForTimeout(500);
      await picture(wb, 'panel-dark');
    });
    await test('the page of the panel loads nothing from outside and runs no inline script', async () => {
      const frame = await panel(wb);
      const policy = await frame.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'nonce-[\w-]+';/);
      assert.doesNotMatch(policy, /unsafe|connect-src|frame-src/);
      assert.equal(await frame.evaluate(() => { const s = document.createElement('script'); s.textContent = 'window.broken = 1'; document.body.append(s); return window.broken ?? 0; }), 0);
    });
  } finally {
    await wb.close();
  }

  wb = await launch('stuck.sq', 'Default Dark Modern');
  try {
    await test('a deadlock is drawn as a wait-for graph', async () => {
      await until('a run', async () => (await wb.hints()).length > 0 || (await wb.squiggles()).length > 0);
      await wb.command('serQ: Show Results');
      const frame = await panel(wb);
      await until('nodes', async () => (await frame.locator('#waitfor svg.graph .node').count()) >= 4);
      assert.ok(await frame.locator('#waitfor .edge.cycle').count() >= 4, 'the edges of the cycle are marked');
      await picture(wb, 'deadlock-dark');
    });
    await test('a node of the graph leads to the program', async () => {
      const frame = await panel(wb);
      await frame.locator('#waitfor .node.session').first().click();
      await until('the cursor', async () => !/Ln 1,/.test(await wb.page.locator('#status\\.editor\\.selection').textContent()));
    });
  } finally {
    await wb.close();
  }

  const example = path.join(root, 'examples/vllm.sq');
  if (label === 'bundled' && fs.existsSync(example)) {
    await test('examples/vllm.sq shows hints with numbers, in both themes', async () => {
      for (const [name, theme] of [['light', 'Default Light Modern'], ['dark', 'Default Dark Modern']]) {
        const shown = await startWorkbench({ vsix: [packaged], workspace: path.join(root, 'examples'), open: 'vllm.sq', env, viewport: size, settings: { 'workbench.colorTheme': theme } });
        try {
          await until('hints', async () => (await shown.hints()).some(({ label: text }) => /\d/.test(text)));
          await goTo(shown, '60');
          await until('an interval', async () => (await shown.hints()).some(({ label: text }) => /\d.*±\s*\d/.test(text)));
          await shown.command('serQ: Show Results');
          const frame = await panel(shown);
          await until('the charts', async () => (await frame.locator('.uplot canvas').count()) >= 1, 30000);
          await shown.page.waitForTimeout(1500);
          await picture(shown, `vllm-${name}`);
        } finally {
          await shown.close();
        }
      }
    });
  }
}

/** Programs with one mistake each; `mark` is where the squiggle must be. */
const MISTAKES = [
  {
    name: 'a context variable outside its moment', mark: 'decoding', says: /decoding/,
    text: 'stage line : fifo;\nworkload { arrive poisson(0.5); }\nsession { set late = decoding; run line (late); }\nrun { horizon 10; seed 1; }\n',
  },
  {
    name: 'a hidden read', mark: 'o', says: /hidden|scheduler/i,
    text: 'pool kv { cap 64; }\nstage line : fifo;\nworkload {\n  arrive poisson(0.5);\n  hidden o;\n  init { set o = ceil(~exp(3)); set max_out = 9; }\n  session { request; end; }\n}\nserver { hold kv (o) { run line (max_out); } }\nrun { horizon 10; seed 1; }\n',
  },
  {
    name: 'a join inside a hold', mark: 'join', says: /join/i,
    text: 'pool kv { cap 64; }\nstage line : fifo;\nworkload { arrive poisson(0.5); }\nsession {\n  fork { run line (1); }\n  hold kv (1) { join; }\n}\nrun { horizon 10; seed 1; }\n',
  },
];

/** Types a program with a mistake; returns whether a quick fix took it away. */
async function showMistake(wb, mistake, picture) {
  const { page } = wb;
  const find = async () => (await wb.squiggles()).find(({ text }) => text.startsWith(mistake.mark));
  await page.keyboard.press('Escape');
  await wb.command('serQ: New Program');
  await page.waitForFunction(() => document.querySelector('.editor-group-container.active .tab.active')?.textContent?.includes('Untitled'));
  await page.waitForTimeout(500);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(mistake.text);
  try {
    const squiggle = await until('the squiggle', find, 30000);
    const hover = await wb.hover(`${squiggle.line}:${squiggle.col}`);
    assert.match(hover.rows.join('\n'), mistake.says);
    await picture(wb, `mistake-${mistake.mark}`);
    await page.mouse.move(5, 5);
    return await applyFix(wb, squiggle, mistake, find, picture);
  } finally {
    await page.keyboard.press('Escape');
    await wb.command('File: Revert and Close Editor');
    await page.waitForTimeout(300);
  }
}

/** Applies the first action under "Quick Fix" at the squiggle; false when none is offered. */
async function applyFix(wb, squiggle, mistake, find, picture) {
  const { page } = wb;
  await goTo(wb, `${squiggle.line}:${squiggle.col + 1}`); // not by a click: hints and lenses move what is on the screen
  let offered = false;
  for (let tries = 0; !offered && tries < 3; tries++) {
    await page.keyboard.press('Control+.');
    offered = await page.waitForSelector('.action-widget .monaco-list-row.action', { timeout: 6000 }).then(() => true, () => false);
  }
  await page.waitForTimeout(400);
  const heads = await page.locator('.action-widget .monaco-list-row').allTextContents();
  if (!offered || !heads.some(text => /Quick Fix/.test(text))) {
    await page.keyboard.press('Escape');
    return false;
  }
  await picture(wb, `fix-${mistake.mark}`);
  await page.keyboard.press('Enter');
  await until('the squiggle is gone', async () => (await find()) === undefined, 15000);
  return true;
}

/** Puts the cursor on 'LINE' or 'LINE:COL'. */
export async function goTo(wb, place) {
  await wb.page.keyboard.press('Control+G');
  await wb.page.waitForSelector('.quick-input-widget input');
  await wb.page.keyboard.type(place);
  await wb.page.keyboard.press('Enter');
  await wb.page.waitForTimeout(500);
}

/** Clicks a text of the editor, or 'LINE:COL'. */
async function click(wb, target, nth = 0) {
  const at = await wb.page.evaluate(([t, n]) => globalThis.vsh.locate(t, n), [target, nth]);
  assert.ok(at, `not on the screen: ${target}`);
  await wb.page.mouse.click(at.box.x + at.box.width / 2, at.box.y + at.box.height / 2);
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
