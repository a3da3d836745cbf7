/** The Test Explorer: the claims of each program, and that nothing is stuck or rejected. */
import * as vscode from 'vscode';
import type { Server } from './client';
import type { Range, Results, Test } from './protocol';
import { reason } from './server';

export class Tests implements vscode.Disposable {
  readonly controller = vscode.tests.createTestController('serq', 'serQ');
  readonly profile: vscode.TestRunProfile;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly settling = new Map<string, NodeJS.Timeout>();

  constructor(private readonly server: Server) {
    this.profile = this.controller.createRunProfile('Run', vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.resolveHandler = item => (item === undefined ? this.discover() : this.fill(item));
    this.controller.refreshHandler = () => this.discover();
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.sq');
    this.disposables.push(
      this.controller, watcher,
      watcher.onDidCreate(uri => void this.file(uri)),
      watcher.onDidDelete(uri => this.controller.items.delete(uri.toString())),
      vscode.workspace.onDidOpenTextDocument(document => this.settle(document)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.settle(document)),
      server.onState(up => {
        if (up) for (const document of vscode.workspace.textDocuments) this.settle(document);
      }),
    );
  }

  /** All programs of the workspace; their tests are found when an item is opened or its file is. */
  private async discover(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles('**/*.sq', '**/{node_modules,.venv}/**', 2000)) this.file(uri);
  }

  private file(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known !== undefined) return known;
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  /** Looks again shortly after the last edit, so that names and places follow the text. */
  private settle(document: vscode.TextDocument): void {
    if (document.languageId !== 'serq' || document.uri.scheme !== 'file') return;
    const key = document.uri.toString();
    clearTimeout(this.settling.get(key));
    this.settling.set(key, setTimeout(() => {
      this.settling.delete(key);
      void this.fill(this.file(document.uri));
    }, 500));
  }

  private async fill(item: vscode.TestItem): Promise<void> {
    if (item.uri === undefined || !this.server.running) return;
    try {
      await vscode.workspace.openTextDocument(item.uri);
      const tests = await this.server.execute<Test[]>('serq.tests', [this.server.uri(item.uri)]);
      this.replace(item, tests);
      item.error = undefined;
    } catch (error) {
      item.error = reason(error);
    }
  }

  private replace(item: vscode.TestItem, tests: Test[]): void {
    item.description = tests.length === 0 ? 'nothing to test' : '';
    item.children.replace(tests.map(test => {
      const child = this.controller.createTestItem(`${item.id}#${test.id}`, test.label, item.uri);
      if (test.range !== null) child.range = toRange(test.range);
      return child;
    }));
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      for (const [file, only] of this.chosen(request)) {
        if (token.isCancellationRequested) break;
        await this.runFile(run, file, only, request.exclude ?? [], token);
      }
    } finally {
      run.end();
    }
  }

  /** Files to run, each with the tests asked for (undefined: all of it). */
  private chosen(request: vscode.TestRunRequest): Map<vscode.TestItem, Set<string> | undefined> {
    const files = new Map<vscode.TestItem, Set<string> | undefined>();
    if (request.include === undefined) {
      this.controller.items.forEach(item => files.set(item, undefined));
      return files;
    }
    for (const item of request.include) {
      if (item.parent === undefined) {
        files.set(item, undefined);
      } else if (!files.has(item.parent) || files.get(item.parent) !== undefined) {
        files.set(item.parent, (files.get(item.parent) ?? new Set()).add(item.id));
      }
    }
    return files;
  }

  private async runFile(
    run: vscode.TestRun, file: vscode.TestItem, only: Set<string> | undefined,
    exclude: readonly vscode.TestItem[], token: vscode.CancellationToken,
  ): Promise<void> {
    if (file.children.size === 0) await this.fill(file);
    const wanted: vscode.TestItem[] = [];
    file.children.forEach(child => {
      if ((only?.has(child.id) ?? true) && !exclude.includes(child) && !exclude.includes(file)) wanted.push(child);
    });
    if (!vscode.workspace.isTrusted) {
      for (const child of wanted) run.skipped(child);
      run.appendOutput('Restricted mode: programs are checked, not run.\r\n');
      return;
    }
    for (const child of wanted) run.started(child);
    try {
      if (file.uri !== undefined) await vscode.workspace.openTextDocument(file.uri); // the editor may have closed it since
      const uri = file.uri === undefined ? '' : this.server.uri(file.uri);
      const results = await this.server.execute<Results>('serq.run', [uri, { wait: true }], token);
      const outcomes = new Map(results.tests.map(test => [`${file.id}#${test.id}`, test]));
      for (const child of wanted) record(run, child, outcomes.get(child.id), results);
      run.appendOutput(summary(file.label, results));
    } catch (error) {
      const message = new vscode.TestMessage(reason(error));
      for (const child of wanted) {
        if (token.isCancellationRequested) run.skipped(child);
        else run.errored(child, message);
      }
    }
  }

  dispose(): void {
    for (const timer of this.settling.values()) clearTimeout(timer);
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function record(run: vscode.TestRun, item: vscode.TestItem, test: Test | undefined, results: Results): void {
  if (test === undefined || results.state === 'failed') {
    run.errored(item, new vscode.TestMessage(results.error?.message ?? 'The program no longer has this test.'));
    return;
  }
  const text = test.message ?? test.label;
  switch (test.outcome) {
    case 'passed': return run.passed(item, results.run.wallSeconds * 1000);
    case 'skipped':
      run.appendOutput(`${test.label}: ${text}\r\n`, undefined, item);
      return run.skipped(item);
    case 'unknown': return run.errored(item, new vscode.TestMessage('The run ended without an answer.'));
    case 'failed': {
      const message = new vscode.TestMessage(text);
      const at = test.at ?? test.range;
      if (item.uri !== undefined && at !== null) message.location = new vscode.Location(item.uri, toRange(at));
      const { uri } = item;
      const related = uri === undefined ? [] : test.related.map(({ message: why, range }) =>
        Object.assign(new vscode.TestMessage(why), { location: new vscode.Location(uri, toRange(range)) }));
      return run.failed(item, [message, ...related], results.run.wallSeconds * 1000);
    }
  }
}

function summary(label: string, results: Results): string {
  const count = (outcome: Test['outcome']): number => results.tests.filter(test => test.outcome === outcome).length;
  return `${label}: ${results.run.events} events, seed ${results.stamp.seed}, ${results.verdict.message}; ` +
    `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\r\n`;
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
