// Restricted mode: nothing of the workspace's settings is started, nothing is run.
const fs = require('node:fs');
const { assert, vscode, suite, until, file, open, started, edit } = require('./suite.js');

exports.run = () => suite({
  async 'the workspace is not trusted'() {
    assert.equal(vscode.workspace.isTrusted, false);
  },

  async 'paths from the workspace are ignored, the server on PATH checks'() {
    const document = await open('line.sq');
    const api = await started();
    assert.equal(api.server.command.source, 'path');
    assert.match(api.server.lastLookup.attempts.find(({ source }) => source === 'environment').outcome, /not trusted/);
    assert.equal(fs.existsSync(file('started').fsPath), false, 'the program named by the workspace was started');
    await edit(document, 'set began = now', 'set began = decoding');
    await until('static checks work', () => vscode.languages.getDiagnostics(document.uri).some(d => d.code === 'SQ0301'));
    await edit(document, 'set began = decoding', 'set began = now');
  },

  async 'no module of the workspace is imported'() {
    assert.equal(fs.existsSync(file('imported').fsPath), false);
  },

  async 'the server is told and no run is started'() {
    const api = await started();
    const { options } = await vscode.commands.executeCommand('serq.stubEcho');
    assert.equal(options.trusted, false);
    assert.equal(await api.server.execute('serq.results', [file('line.sq').toString()]), null);
  },

  async 'settings that name a path or a command have no value of the workspace'() {
    const written = JSON.parse(fs.readFileSync(file('.vscode/settings.json').fsPath, 'utf8'));
    for (const name of ['server.path', 'server.python']) {
      assert.match(written[`serq.${name}`], /evil\.sh$/, 'the workspace asks for it');
      assert.equal(vscode.workspace.getConfiguration('serq').get(name), '', name);
    }
    const { lookUp } = await started();
    const { attempts } = await lookUp();
    assert.ok(attempts.every(({ what }) => !what.includes('evil.sh')), JSON.stringify(attempts));
    assert.equal(fs.existsSync(file('started').fsPath), false);
  },

  async 'a restart does not use them either'() {
    const api = await started();
    const old = api.server.pid;
    await vscode.commands.executeCommand('serq.restartServer');
    await until('another process', () => api.server.running && api.server.pid !== old);
    assert.equal(api.server.command.source, 'path');
    assert.equal(fs.existsSync(file('started').fsPath), false);
  },

  // Tasks: the editor itself asks for none while the workspace is not trusted.
  async 'tests are skipped'() {
    await open('line.sq');
    const { tests, server } = await started();
    const item = await until('the tests of line.sq', () => {
      const found = tests.controller.items.get(file('line.sq').toString());
      return found?.children.size > 0 ? found : undefined;
    });
    const seen = [];
    const real = tests.controller.createTestRun;
    const note = kind => () => seen.push(kind);
    tests.controller.createTestRun = () => ({
      started: note('started'), passed: note('passed'), failed: note('failed'), skipped: note('skipped'), errored: note('errored'), appendOutput: () => {}, end: () => {},
    });
    try {
      await tests.profile.runHandler(new vscode.TestRunRequest([item]), new vscode.CancellationTokenSource().token);
    } finally {
      tests.controller.createTestRun = real;
    }
    assert.deepEqual([...new Set(seen)], ['skipped']);
    assert.equal(await server.execute('serq.results', [file('line.sq').toString()]), null);
  },

  async 'run is refused'() {
    const api = await started();
    vscode.commands.executeCommand('serq.run', file('line.sq')).then(() => {}, () => {}); // waits for its notification
    await new Promise(resolve => setTimeout(resolve, 500));
    assert.equal(await api.server.execute('serq.results', [file('line.sq').toString()]), null);
  },
});
