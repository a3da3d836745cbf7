import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';

interface Manifest {
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string }[]>;
    problemPatterns: { regexp: string }[];
    configuration: { id: string; properties: Record<string, object> }[];
    walkthroughs: { steps: { description: string; media: { markdown: string } }[] }[];
    languages: { icon: Record<string, string>; configuration: string }[];
  };
  capabilities: { untrustedWorkspaces: { restrictedConfigurations: string[] } };
}

const read = (file: string): unknown => JSON.parse(fs.readFileSync(file, 'utf8'));
const manifest = read('package.json') as Manifest;
const { contributes } = manifest;

test('menus and walkthroughs name commands and files that exist', () => {
  const commands = new Set(contributes.commands.map(({ command }) => command));
  for (const item of Object.values(contributes.menus).flat()) assert.ok(commands.has(item.command), item.command);
  for (const step of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    for (const [, command] of step.description.matchAll(/\(command:([\w.]+)\)/g)) assert.ok(commands.has(command ?? ''), command);
    assert.ok(fs.existsSync(step.media.markdown), step.media.markdown);
  }
  for (const file of contributes.languages.flatMap(({ icon, configuration }) => [...Object.values(icon), configuration])) assert.ok(fs.existsSync(file), file);
});

test('every setting that names a path or a command is restricted', () => {
  const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  const sensitive = names.filter(name => /path|python|command|executable/i.test(name));
  assert.deepEqual([...sensitive].sort(), [...manifest.capabilities.untrustedWorkspaces.restrictedConfigurations].sort());
});

test('the block that is generated from the server is marked and holds the documented names', () => {
  const block = contributes.configuration.find(({ id }) => id === 'serq-server-settings');
  const names = new Set(Object.keys(block?.properties ?? {}));
  for (const name of ['trigger', 'debounceMs', 'budget.seconds', 'budget.events', 'seed', 'horizon', 'replications', 'precision']) {
    assert.ok(names.has(`serq.simulation.${name}`), name);
  }
  assert.ok(names.has('serq.strict') && names.has('serq.trace.server'));
});

test('the problem matcher reads lines of check --format concise', () => {
  const pattern = new RegExp(contributes.problemPatterns[0]?.regexp ?? '');
  const match = (line: string): (string | undefined)[] | undefined => pattern.exec(line)?.slice(1);
  assert.deepEqual(match('a/b.sq:4:14: error[SQ0301] `decoding` is known to a scheduler only'), ['a/b.sq', '4', '14', 'error', 'SQ0301', '`decoding` is known to a scheduler only']);
  assert.deepEqual(match('b.sq:1:1: warning[SQ1016] nothing is observed'), ['b.sq', '1', '1', 'warning', 'SQ1016', 'nothing is observed']);
  assert.deepEqual(match('C:\\x\\b.sq:1:2: error[SQ0101] no'), ['C:\\x\\b.sq', '1', '2', 'error', 'SQ0101', 'no']);
  assert.equal(match('3 files checked'), undefined);
});

interface LanguageConfiguration {
  wordPattern: string;
  folding: { markers: { start: string; end: string } };
  indentationRules: { increaseIndentPattern: string; decreaseIndentPattern: string };
  onEnterRules: { beforeText: string; afterText?: string }[];
}

test('indentation, folding and words fit the language', () => {
  const { wordPattern, folding, indentationRules, onEnterRules } = read('language-configuration.json') as LanguageConfiguration;
  const grows = new RegExp(indentationRules.increaseIndentPattern);
  for (const line of ['server {', '  hold kv (1) { // why', '  hold reqs (1), kv (min(known,', 'workload {']) assert.ok(grows.test(line), line);
  for (const line of ['// server {', 'pool kv { cap 1; }', 'set x = 1;', 'run line (1);']) assert.ok(!grows.test(line), line);
  assert.ok(new RegExp(indentationRules.decreaseIndentPattern).test('  } else {'));
  assert.ok(new RegExp(folding.markers.start).test('// region pools') && new RegExp(folding.markers.end).test('// endregion'));
  const words = 'tür = a² + 1_000.5e3;'.match(new RegExp(wordPattern, 'gu'));
  assert.deepEqual(words, ['tür', 'a²', '1_000.5e3']);
  assert.ok(new RegExp(onEnterRules[0]?.beforeText ?? '').test('// a comment that goes'));
});

test('every snippet has a prefix, a description, and balanced braces', () => {
  const prefixes = new Set<string>();
  for (const [name, { prefix, body, description }] of Object.entries(read('snippets/serq.json') as Record<string, { prefix: string; body: string[]; description: string }>)) {
    assert.ok(description && !prefixes.has(prefix), name);
    prefixes.add(prefix);
    const text = body.join('\n').replace(/\$\{\d+\|[^}]*\|\}/g, '').replace(/\$\{\d+(?::([^{}]*))?\}/g, '$1').replace(/\$\{\d+:(.*?)\}/g, '$1');
    assert.equal(text.split('{').length, text.split('}').length, name);
  }
});
