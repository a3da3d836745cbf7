// The extension in a trusted workspace, with the stand-in server on PATH.
const path = require('node:path');
const { assert, vscode, ID, suite, until, file, open, started, setting, edit } = require('./suite.js');

/** Folders and programs that the runner made: see run.mjs. */
const made = JSON.parse(process.env.SERQ_TEST_FIXTURES);

/** Settings of an extension that is not installed can be read, but written only as a file. */
async function workspaceSettings(settings) {
  const { fs } = vscode.workspace;
  await fs.writeFile(file('.vscode/settings.json'), new TextEncoder().encode(JSON.stringify(settings)));
  const wanted = settings['python.defaultInterpreterPath'];
  await until('the settings are read', () => vscode.workspace.getConfiguration('python').get('defaultInterpreterPath') === wanted);
}

/** Runs a task; resolves with its program's status. */
async function exitOf(task) {
  const ended = new Promise(resolve => {
    const listener = vscode.tasks.onDidEndTaskProcess(event => {
      if (event.execution.task.name !== task.name) return;
      listener.dispose();
      resolve(event.exitCode);
    });
  });
  await vscode.tasks.executeTask(task);
  return ended;
}

exports.run = () => suite({
  async 'opening a program activates the extension and starts the server'() {
    const document = await open('line.sq');
    assert.equal(document.languageId, 'serq');
    const api = await started();
    assert.deepEqual(api.server.facts, { server: '0.0.1', protocol: 1 });
    assert.equal(api.server.command.source, 'path');
    await until('the status item shows the verdict', () => api.status.text.includes('steady'));
  },

  async 'the initialize options say who asks'() {
    const { options } = await vscode.commands.executeCommand('serq.stubEcho');
    assert.equal(options.protocol, 1);
    assert.equal(options.trusted, true);
    assert.equal(options.client.name, 'vscode');
    assert.equal(options.settings.simulation.trigger, 'onType');
  },

  async 'the server is looked up in the documented order'() {
    const api = await started();
    const sources = lookup => lookup.attempts.map(attempt => attempt.source);
    let lookup = await api.lookUp();
    assert.equal(lookup.found.source, 'path');
    assert.deepEqual(sources(lookup), ['setting', 'environment', 'path']);

    await workspaceSettings({ 'python.defaultInterpreterPath': made.python });
    lookup = await api.lookUp();
    assert.equal(lookup.found.source, 'environment');
    assert.equal(lookup.found.command, made.python);
    assert.deepEqual(sources(lookup), ['setting', 'environment']);

    await workspaceSettings({ 'python.defaultInterpreterPath': made.emptyPython });
    lookup = await api.lookUp();
    assert.equal(lookup.found.source, 'path');
    assert.match(lookup.attempts[1].outcome, /has no serq-lsp/);
    await workspaceSettings({});

    const before = process.env.PATH;
    process.env.PATH = made.pythonOnly;
    try {
      lookup = await api.lookUp();
      assert.equal(lookup.found?.source, 'bundled', JSON.stringify(lookup.attempts));
      assert.ok(lookup.found.env.PYTHONPATH.endsWith(path.join('server', 'libs')));
    } finally {
      process.env.PATH = before;
    }
  },

  async 'a server path that is set is the only one tried'() {
    const api = await started();
    const old = api.server.pid;
    await setting('serq', 'server.path', made.program);
    await until('restarted from the setting', () => api.server.command?.source === 'setting' && api.server.running && api.server.pid !== old);
    await setting('serq', 'server.path', '/no/such/serq-lsp');
    await until('stopped', () => !api.server.running && api.server.lastLookup?.found === null);
    assert.equal(api.server.lastLookup.lack, 'setting');
    assert.equal(api.server.lastLookup.attempts.length, 1);
    assert.match(api.server.lastLookup.message, /serq\.server\.path/);
    await setting('serq', 'server.path', undefined);
    await until('running again', () => api.server.running && api.server.command?.source === 'path');
  },

  async 'a killed server is started again and knows the open text'() {
    const api = await started();
    const old = api.server.pid;
    process.kill(old, 'SIGKILL');
    await until('another process', () => api.server.running && api.server.pid !== undefined && api.server.pid !== old);
    const document = await open('line.sq');
    await edit(document, 'set began = now', 'set began = decoding');
    await until('the mistake is shown', () => vscode.languages.getDiagnostics(document.uri).some(d => d.code === 'SQ0301'));
    await edit(document, 'set began = decoding', 'set began = now');
    await until('and gone', () => vscode.languages.getDiagnostics(document.uri).length === 0);
    assert.equal(vscode.languages.getDiagnostics(document.uri).length, 0);
  },

  async 'a changed setting reaches the server without a restart'() {
    const api = await started();
    const { pid } = await vscode.commands.executeCommand('serq.stubEcho');
    await setting('serq', 'simulation.trigger', 'manual');
    await until('the server has it', async () => (await vscode.commands.executeCommand('serq.stubEcho')).settings.simulation?.trigger === 'manual');
    assert.equal((await vscode.commands.executeCommand('serq.stubEcho')).pid, pid);
    await setting('serq', 'simulation.trigger', undefined);
    assert.ok(api.server.running);
  },

  async 'every contributed command is there'() {
    const known = new Set(await vscode.commands.getCommands(true));
    const contributed = vscode.extensions.getExtension(ID).packageJSON.contributes.commands.map(({ command }) => command);
    assert.deepEqual(contributed.filter(command => !known.has(command)), []);
  },

  async 'every setting has a description and a default that it allows'() {
    const sections = vscode.extensions.getExtension(ID).packageJSON.contributes.configuration;
    for (const [name, schema] of sections.flatMap(({ properties }) => Object.entries(properties))) {
      assert.ok(schema.description ?? schema.markdownDescription, name);
      const types = [schema.type].flat();
      const actual = schema.default === null ? 'null' : typeof schema.default;
      assert.ok(types.includes(actual) || (actual === 'number' && types.includes('integer')), `${name}: ${actual}`);
      if (schema.enum) assert.ok(schema.enum.includes(schema.default), name);
      if (typeof schema.default === 'number') assert.ok(schema.default >= (schema.minimum ?? -Infinity) && schema.default <= (schema.maximum ?? Infinity), name);
    }
  },

  async 'run, pin, compare and the other questions are answered in the panel'() {
    const api = await started();
    const document = await open('line.sq');
    await vscode.commands.executeCommand('serq.openResults');
    const first = await until('the panel has drawn', () => api.panel.rendered);
    await vscode.commands.executeCommand('serq.run');
    await until('a newer generation is drawn', () => api.panel.rendered.generation > first.generation);
    assert.ok(api.panel.rendered.charts >= 2, 'a pool and a stage are plotted');
    await vscode.commands.executeCommand('serq.pinBaseline', document.uri.toString());
    const results = await api.server.execute('serq.results', [document.uri.toString()]);
    assert.equal(results.baseline.pinned, true);
    for (const command of ['serq.compare', 'serq.explore', 'serq.explainSlowest', 'serq.automaton']) await vscode.commands.executeCommand(command, document.uri);
    await vscode.commands.executeCommand('serq.sweep', document.uri, { constant: 'rate' });
    await vscode.commands.executeCommand('serq.pinBaseline', document.uri, { unpin: true });
    assert.equal((await api.server.execute('serq.results', [document.uri.toString()])).baseline, null);
  },

  async 'stop and restart commands work'() {
    const api = await started();
    await open('line.sq');
    await vscode.commands.executeCommand('serq.stop');
    const old = api.server.pid;
    await vscode.commands.executeCommand('serq.restartServer');
    await until('another process', () => api.server.running && api.server.pid !== old);
  },

  async 'print environment tells versions and the lookup'() {
    const text = await vscode.commands.executeCommand('serq.printEnvironment');
    assert.match(text, /server\s+0\.0\.1, protocol 1/);
    assert.match(text, /path: .*serq-lsp: used/);
    assert.match(text, /workspace\s+trusted/);
  },

  async 'tasks check and run a program, and the matcher reads the findings'() {
    await open('line.sq');
    const tasks = await vscode.tasks.fetchTasks({ type: 'serq' });
    const named = (command, name) => tasks.find(({ definition }) => definition.command === command && definition.file === name);
    assert.ok(named('run', 'line.sq') && named('check', 'line.sq'), 'tasks for the program in front');
    const task = named('check', '.');
    assert.deepEqual(task.problemMatchers, ['$serq']);
    let found;
    for (let tries = 0; found === undefined && tries < 3; tries++) { // a program this short may end before its terminal is read
      assert.equal(await exitOf(task), 1);
      found = await until('the matcher', () => vscode.languages.getDiagnostics(file('wrong.sq')).find(d => d.source === 'serq-lsp'), 8000).catch(() => undefined);
    }
    assert.ok(found, 'the matcher read the finding');
    assert.equal(found.code, 'SQ0301');
    const lines = new TextDecoder().decode(await vscode.workspace.fs.readFile(file('wrong.sq'))).split('\n');
    assert.equal(found.range.start.line, lines.findIndex(line => line.includes('= decoding')));
  },

  async 'the Test Explorer lists and runs claims, stuck and rejected'() {
    const { tests } = await started();
    await open('stuck.sq');
    await open('line.sq');
    const item = await until('the tests of line.sq', () => {
      const found = tests.controller.items.get(file('line.sq').toString());
      return found?.children.size === 3 ? found : undefined;
    });
    const labels = [];
    item.children.forEach(child => labels.push(child.label));
    assert.deepEqual(labels, ['claim fits', 'stuck == 0', 'rejected == 0']);
    assert.equal(item.children.get(`${item.id}#claim:fits`).range.start.line, 18);

    const seen = [];
    const note = kind => (child, message) => seen.push([kind, child?.label, message]);
    const real = tests.controller.createTestRun;
    tests.controller.createTestRun = () => ({
      started: () => {}, passed: note('passed'), failed: note('failed'), skipped: note('skipped'), errored: note('errored'), appendOutput: () => {}, end: () => {},
    });
    try {
      const stuck = await until('the tests of stuck.sq', () => {
        const found = tests.controller.items.get(file('stuck.sq').toString());
        return found?.children.size === 2 ? found : undefined;
      });
      const source = new vscode.CancellationTokenSource();
      await tests.profile.runHandler(new vscode.TestRunRequest([item]), source.token);
      assert.deepEqual(seen.map(([kind]) => kind), ['passed', 'passed', 'passed']);
      seen.length = 0;
      await tests.profile.runHandler(new vscode.TestRunRequest([stuck.children.get(`${stuck.id}#stuck`)]), source.token);
      assert.deepEqual(seen.map(([kind, label]) => [kind, label]), [['failed', 'stuck == 0']]);
      assert.ok(seen[0][2][0].location, 'the message stands at a place');
      seen.length = 0;
      source.cancel();
      await tests.profile.runHandler(new vscode.TestRunRequest([item]), source.token);
      assert.deepEqual(seen, [], 'a cancelled run does nothing');
    } finally {
      tests.controller.createTestRun = real;
    }
  },

  async 'a new program starts from the template'() {
    await vscode.commands.executeCommand('serq.newProgram');
    const { document } = vscode.window.activeTextEditor;
    assert.equal(document.languageId, 'serq');
    assert.match(document.getText(), /observe response/);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  },
});
