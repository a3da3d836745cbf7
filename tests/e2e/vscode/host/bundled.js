// The packaged extension with the server it carries, on a machine that has only Python.
const { assert, vscode, needs, suite, until, file, open, started, edit } = require('./suite.js');

const uri = name => file(name).toString();

exports.run = () => suite({
  async 'the bundled server answers'() {
    await open('line.sq');
    const api = await started();
    assert.equal(api.server.command.source, 'bundled', JSON.stringify(api.server.lastLookup.attempts));
    assert.equal(api.server.facts.protocol, 1);
    assert.equal(api.server.facts.server, api.server.command.version, 'the version in the package is the one that answers');
  },

  async 'mistakes are found and hovers say something'() {
    const document = await open('wrong.sq');
    const found = await until('a diagnostic', () => vscode.languages.getDiagnostics(document.uri).find(d => (d.code?.value ?? d.code) === 'SQ0301'));
    assert.match(document.getText(found.range), /decoding/);
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, document.positionAt(document.getText().indexOf('run line') + 5));
    assert.ok(hovers.length > 0);
  },

  async 'definitions, symbols, completion and formatting are there'() {
    const document = await open('line.sq');
    const at = document.positionAt(document.getText().indexOf('run line') + 5);
    const places = await vscode.commands.executeCommand('vscode.executeDefinitionProvider', document.uri, at);
    assert.equal((places[0].range ?? places[0].targetSelectionRange).start.line, 4);
    const symbols = await vscode.commands.executeCommand('vscode.executeDocumentSymbolProvider', document.uri);
    assert.ok(symbols.some(({ name }) => name === 'kv'));
    const items = await vscode.commands.executeCommand('vscode.executeCompletionItemProvider', document.uri, at);
    assert.ok(items.items.some(({ label }) => (label.label ?? label) === 'line'));
  },

  async 'run --wait gives results as the protocol says'() {
    const api = await started();
    needs(api, 'serq.run');
    await open('line.sq');
    const results = await api.server.execute('serq.run', [uri('line.sq'), { wait: true }]);
    assert.equal(results.protocol, 1);
    assert.equal(results.state, 'final');
    const response = results.observations.find(({ name }) => name === 'response');
    assert.equal(response.count, 200);
    assert.ok(Math.abs(response.mean - 3.615132) < 0.1, `mean ${response.mean}, rounded to its interval`);
    assert.equal(results.claims[0].result, 'holds');
    assert.deepEqual(results.tests.map(({ id, outcome }) => [id, outcome]), [['claim:fits', 'passed'], ['stuck', 'passed'], ['rejected', 'passed']]);
    const { timeline } = await api.server.execute('serq.results', [uri('line.sq'), { timeline: { limit: 50 } }]);
    assert.ok(timeline.sessions.length === 50 && timeline.total === 200 && timeline.sessions[0].segments.length > 0);
    for (const series of [response.series, results.pools[0].series.used, results.stages[0].series.number]) {
      assert.equal(series.t.length, series.v.length);
      assert.ok(series.t.every((t, i) => i === 0 || t >= series.t[i - 1]));
    }
  },

  async 'a stuck program has its diagnostic and its wait-for graph'() {
    const api = await started();
    needs(api, 'serq.run');
    const document = await open('stuck.sq');
    const results = await api.server.execute('serq.run', [uri('stuck.sq'), { wait: true }]);
    assert.equal(results.verdict.state, 'stuck');
    const ids = new Set(results.waitFor.nodes.map(({ id }) => id));
    assert.ok(results.waitFor.edges.length >= 4 && results.waitFor.edges.every(({ from, to }) => ids.has(from) && ids.has(to)));
    assert.equal(results.tests.find(({ id }) => id === 'stuck').outcome, 'failed');
    await until('the diagnostic of the run', () => vscode.languages.getDiagnostics(document.uri).some(({ source }) => source === 'serq-sim'));
  },

  async 'pin, compare, sweep, explain, automaton and explore answer as the protocol says'() {
    const api = await started();
    needs(api, 'serq.run', 'serq.pinBaseline', 'serq.compare', 'serq.sweep', 'serq.explainSlowest', 'serq.automaton', 'serq.explore');
    const document = await open('line.sq');
    const ask = (command, ...rest) => api.server.execute(command, [uri('line.sq'), ...rest]);
    await ask('serq.run', { wait: true });
    const { baseline } = await ask('serq.pinBaseline');
    const { id } = (await ask('serq.results')).observations[0];
    assert.ok(baseline.pinned && baseline.values[id] !== undefined, id);
    await edit(document, 'let rate = 0.8', 'let rate = 0.7');
    await ask('serq.run', { wait: true });
    const comparison = await ask('serq.compare');
    assert.ok(comparison.rows.some(({ name, delta }) => name === 'response' && delta.mean < 0));
    const sweep = await ask('serq.sweep', { constant: 'rate', factors: [0.5, 1, 1.5] });
    assert.deepEqual(sweep.points.map(({ factor }) => factor), [0.5, 1, 1.5]);
    const explanation = await ask('serq.explainSlowest');
    assert.ok(explanation.parts.length > 0 && Math.abs(explanation.parts.reduce((sum, part) => sum + part.share, 0) - 1) < 0.01);
    const automaton = await ask('serq.automaton');
    assert.ok(automaton.states.some(({ id }) => id === automaton.entry) && automaton.edges.length > 0);
    const exploration = await ask('serq.explore', { sessions: 2 });
    assert.deepEqual([exploration.outcome, exploration.complete, exploration.violations], ['holds', true, []]);
    assert.ok(exploration.states > 1);
    for (const answer of [comparison, sweep, explanation, automaton, exploration]) assert.ok(typeof answer.text === 'string' && answer.text.length > 0);
  },

  async 'nothing that is compiled came with the package'() {
    const api = await started();
    const libs = api.server.command.env.PYTHONPATH;
    const compiled = await vscode.workspace.findFiles(new vscode.RelativePattern(vscode.Uri.file(libs), '**/*.{so,pyd,dylib,dll}'));
    assert.deepEqual(compiled.map(({ path }) => path), []);
  },
});
