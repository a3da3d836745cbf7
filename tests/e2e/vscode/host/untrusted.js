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

  async 'run is refused'() {
    const api = await started();
    vscode.commands.executeCommand('serq.run', file('line.sq')).then(() => {}, () => {}); // waits for its notification
    await new Promise(resolve => setTimeout(resolve, 500));
    assert.equal(await api.server.execute('serq.results', [file('line.sq').toString()]), null);
  },
});
