// What a person is told when the server cannot be started, does not fit, or keeps ending: one notification, with buttons that help.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { until } from './helpers.mjs';

/** One workbench: first there is no Python, then `serq.server.path` names one bad server after another. */
export async function failures({ packaged, here, startWorkbench, made, withNothing }, test) {
  const wb = await startWorkbench({ vsix: [packaged], workspace: path.join(here, 'fixtures/workspace'), open: 'line.sq', env: withNothing });
  const shown = async (name, expected, buttons) => test(name, async () => {
    const said = () => wb.notifications();
    await until('the notification', async () => (await said()).some(text => expected.test(text)));
    await wb.page.waitForTimeout(1500); // a second one would have come by now
    assert.equal((await said()).length, 1, (await said()).join(' | '));
    const labels = await wb.page.locator('.notification-list-item-buttons-container .monaco-button').allTextContents();
    assert.deepEqual(labels.sort(), buttons);
    await wb.command('Notifications: Clear All Notifications');
    await until('no notification', async () => (await said()).length === 0);
  });
  const use = program => {
    fs.mkdirSync(path.join(wb.folder, '.vscode'), { recursive: true });
    fs.writeFileSync(path.join(wb.folder, '.vscode/settings.json'), JSON.stringify({ 'serq.server.path': program }));
  };
  try {
    await shown('without Python one notification offers what helps', /needs Python 3\.11/, ['Get Python', 'Set Python Path']);
    use('/no/such/serq-lsp');
    await shown('a server path that names nothing leads to the setting', /serq\.server\.path does not work/, ['Open Setting', 'Show Logs']);
    use(made.otherProtocol);
    await shown('a server of another protocol is named once', /do not match: update the extension/, ['Print Environment']);
    use(made.dies);
    await shown('a server that dies at once gives one notification', /did not start/, ['Restart', 'Show Logs']);
    use(made.diesLater);
    await shown('a server that keeps ending stays down, and says so once', /keeps ending/, ['Restart', 'Show Logs']);
    use(made.program);
    await test('a server that works again is used', async () => {
      await until('hints', async () => (await wb.hints()).some(({ label }) => /\d/.test(label)));
      assert.deepEqual(await wb.notifications(), []);
    });
  } finally {
    await wb.close();
  }
}
