/** The commands: each finds its program, asks the server, and shows the answer in the panel. */
import * as vscode from 'vscode';
import type { Server } from './client';
import { version } from './client';
import type { Panel } from './panel/panel';
import type { Automaton, Baseline, Comparison, Explanation, Exploration, Range, Sweep } from './protocol';
import { describe, reason } from './server';
import { showMenu, type Status } from './status';

const MANUAL = 'https://serq-lsp.readthedocs.io/';

const NEW_PROGRAM = `// One line with one server: arrivals, a wait, a service.
let rate = 0.8;

stage line : fifo;

workload {
  arrive poisson(rate);
  session { set began = now; request; end; }
}

server {
  run line (~exp(1));
  observe response = now - began;
}

run { horizon 20000; warmup 1000; seed 1; }
`;

export interface Parts { context: vscode.ExtensionContext; server: Server; status: Status; panel: Panel }

type Action = (parts: Parts, uri: vscode.Uri, ...rest: unknown[]) => Promise<void>;

/** Commands about one program. The first argument may be its URI (lenses give it); else it is the active editor's. */
const ABOUT_A_PROGRAM: Record<string, { run: Action; trusted: boolean; busy: string }> = {
  'serq.run': {
    trusted: true, busy: 'starting',
    run: async ({ server }, uri) => void (await server.execute('serq.run', [server.uri(uri)])),
  },
  'serq.stop': {
    trusted: false, busy: 'stopping',
    run: async ({ server }, uri) => {
      const { stopped } = await server.execute<{ stopped: boolean }>('serq.stop', [server.uri(uri)]);
      if (!stopped) void vscode.window.setStatusBarMessage('serQ: nothing was running', 3000);
    },
  },
  'serq.pinBaseline': {
    trusted: false, busy: 'pinning',
    run: async ({ server, panel }, uri, options) => {
      const given = isRecord(options) ? [options] : [];
      const { baseline } = await server.execute<{ baseline: Baseline | null }>('serq.pinBaseline', [server.uri(uri), ...given]);
      void vscode.window.setStatusBarMessage(baseline === null ? 'serQ: no baseline' : `serQ: baseline ${baseline.label}`, 5000);
      await panel.refresh(uri);
    },
  },
  'serq.compare': {
    trusted: false, busy: 'comparing',
    run: async ({ server, panel }, uri) =>
      panel.show(uri, { kind: 'comparison', data: await server.execute<Comparison>('serq.compare', [server.uri(uri)]) }),
  },
  'serq.sweep': {
    trusted: true, busy: 'sweeping',
    run: async ({ server, panel }, uri, options) => {
      const asked = isRecord(options) ? options : await askSweep(uri);
      if (asked === undefined) return;
      const data = await withCancel('Sweeping', token => server.execute<Sweep>('serq.sweep', [server.uri(uri), asked], token));
      panel.show(uri, { kind: 'sweep', data });
    },
  },
  'serq.explore': {
    trusted: true, busy: 'exploring',
    run: async ({ server, panel }, uri, options) => {
      const given = isRecord(options) ? [options] : [];
      const data = await withCancel('Exploring all orders', token => server.execute<Exploration>('serq.explore', [server.uri(uri), ...given], token));
      panel.show(uri, { kind: 'exploration', data });
    },
  },
  'serq.explainSlowest': {
    trusted: true, busy: 'explaining',
    run: async ({ server, panel }, uri, options) => {
      const given = isRecord(options) ? [options] : [];
      const data = await withCancel('Explaining the slowest request', token =>
        server.execute<Explanation>('serq.explainSlowest', [server.uri(uri), ...given], token));
      panel.show(uri, { kind: 'explanation', data });
    },
  },
  'serq.events': {
    trusted: true, busy: 'reading',
    // The server opens the log: window/showDocument.
    run: async ({ server }, uri, options) => {
      const given = isRecord(options) ? [options] : [];
      await withCancel('Reading the event log', token => server.execute('serq.events', [server.uri(uri), ...given], token));
    },
  },
  'serq.automaton': {
    trusted: false, busy: 'drawing',
    run: async ({ server, panel }, uri) =>
      panel.show(uri, { kind: 'automaton', data: await server.execute<Automaton>('serq.automaton', [server.uri(uri)]) }),
  },
  'serq.openResults': {
    trusted: false, busy: 'opening',
    run: async ({ panel }, uri, id) => panel.open(uri, typeof id === 'string' ? id : undefined),
  },
};

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { server, status, context } = parts;
  const about = Object.entries(ABOUT_A_PROGRAM).map(([name, { run, trusted }]) =>
    vscode.commands.registerCommand(name, async (first?: unknown, ...rest: unknown[]) => {
      const uri = programUri(first);
      if (uri === undefined) {
        void vscode.window.showInformationMessage('Open a serQ program (.sq) first.');
        return;
      }
      if (trusted && !vscode.workspace.isTrusted) return offerTrust();
      try {
        await run(parts, uri, ...rest);
      } catch (error) {
        if (error instanceof vscode.CancellationError || isCancelled(error)) return;
        server.log.error(`${name}: ${reason(error)}`);
        void vscode.window.showErrorMessage(`serQ: ${reason(error)}`);
      }
    }));
  return [
    ...about,
    vscode.commands.registerCommand('serq.menu', () => {
      const uri = programUri(undefined);
      return showMenu(uri === undefined ? undefined : status.of(uri));
    }),
    vscode.commands.registerCommand('serq.newProgram', async () => {
      const document = await vscode.workspace.openTextDocument({ language: 'serq', content: NEW_PROGRAM });
      await vscode.window.showTextDocument(document);
    }),
    vscode.commands.registerCommand('serq.restartServer', () => server.restart()),
    vscode.commands.registerCommand('serq.showLogs', () => server.log.show()),
    vscode.commands.registerCommand('serq.openManual', () => vscode.env.openExternal(vscode.Uri.parse(MANUAL))),
    vscode.commands.registerCommand('serq.printEnvironment', async () => {
      const text = environment(context, server);
      const document = await vscode.workspace.openTextDocument({ language: 'plaintext', content: text });
      await vscode.window.showTextDocument(document, { preview: true });
      return text;
    }),
    vscode.commands.registerCommand('serq.revealRange', (uri: string, range: Range) => reveal(vscode.Uri.parse(uri), range, false)),
    server.onState(up => { if (up) passThrough(context, server); }),
  ];
}

/** Commands that a newer server offers and this extension does not know are sent on as they are. */
const passed = new Set<string>();
function passThrough(context: vscode.ExtensionContext, server: Server): void {
  const known = new Set([...Object.keys(ABOUT_A_PROGRAM), 'serq.results', 'serq.tests']);
  for (const name of server.commands) {
    if (known.has(name) || passed.has(name)) continue;
    passed.add(name);
    context.subscriptions.push(vscode.commands.registerCommand(name, (...args: unknown[]) => server.execute(name, args)));
  }
}

function programUri(given: unknown): vscode.Uri | undefined {
  if (typeof given === 'string') return vscode.Uri.parse(given);
  if (given instanceof vscode.Uri) return given;
  const active = vscode.window.activeTextEditor?.document;
  if (active?.languageId === 'serq') return active.uri;
  const visible = vscode.window.visibleTextEditors.find(editor => editor.document.languageId === 'serq');
  return visible?.document.uri;
}

/** Shows a place of a program; a preview keeps the focus where it is. */
export async function reveal(uri: vscode.Uri, range: Range, preview: boolean): Promise<void> {
  const selection = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
  const shown = vscode.window.visibleTextEditors.find(editor => editor.document.uri.toString() === uri.toString());
  const editor = await vscode.window.showTextDocument(uri, {
    viewColumn: shown?.viewColumn ?? vscode.ViewColumn.One, preserveFocus: preview, selection,
  });
  editor.revealRange(selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

async function offerTrust(): Promise<void> {
  const chosen = await vscode.window.showWarningMessage('In restricted mode serQ checks programs and runs none.', 'Manage Workspace Trust');
  if (chosen !== undefined) await vscode.commands.executeCommand('workbench.trust.manage');
}

/** The constant under the cursor, or one of those in the file. */
async function askSweep(uri: vscode.Uri): Promise<Record<string, unknown> | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const constants = [...document.getText().matchAll(/^\s*let\s+([\p{L}_][\p{L}\p{N}_]*)\s*=\s*([^;]*);/gmu)]
    .map(([, name, value]) => ({ label: name ?? '', description: value ?? '' }));
  if (constants.length === 0) throw new Error('This program has no constant (let NAME = …;) to sweep.');
  const editor = vscode.window.visibleTextEditors.find(each => each.document === document);
  const word = editor && document.getText(document.getWordRangeAtPosition(editor.selection.active) ?? new vscode.Range(0, 0, 0, 0));
  const first = constants.filter(each => each.label === word);
  const chosen = await vscode.window.showQuickPick([...first, ...constants.filter(each => each.label !== word)], {
    title: 'Sweep a constant', placeHolder: 'From half to twice its value',
  });
  return chosen === undefined ? undefined : { constant: chosen.label };
}

function withCancel<T>(title: string, task: (token: vscode.CancellationToken) => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: `serQ: ${title}`, cancellable: true },
    (_progress, token) => task(token));
}

function environment(context: vscode.ExtensionContext, server: Server): string {
  const { server: serverVersion, protocol } = server.facts;
  const command = server.command;
  const lookup = server.lastLookup;
  return [
    `extension   ${version(context)}`,
    `server      ${serverVersion ?? 'not running'}${protocol === undefined ? '' : `, protocol ${protocol}`}`,
    `command     ${command === undefined ? 'none' : [command.command, ...command.args, 'lsp'].join(' ')}`,
    `process     ${server.pid ?? 'none'}`,
    `editor      ${vscode.env.appName} ${vscode.version}, ${process.platform} ${process.arch}`,
    `workspace   ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted: static checks only'}`,
    '',
    'lookup, in order',
    ...(lookup === undefined ? ['  not done yet'] : describe(lookup)),
    '',
  ].join('\n');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof vscode.Uri);
}

/** LSP's RequestCancelled. */
function isCancelled(error: unknown): boolean {
  return isRecord(error) && error.code === -32800;
}
