/** The status bar item: what the run of the active program is doing, and a menu behind it. */
import * as vscode from 'vscode';
import type { Server } from './client';
import type { RunState, StatusParams } from './protocol';

const ICONS: Record<RunState, string> = {
  idle: '$(check)',
  running: '$(sync~spin)',
  stale: '$(history)',
  failed: '$(error)',
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('serq.status', vscode.StatusBarAlignment.Right, 90);
  private readonly byUri = new Map<string, StatusParams>();
  private readonly disposables: vscode.Disposable[];
  private up = false;

  constructor(private readonly server: Server) {
    this.item.name = 'serQ';
    this.item.command = 'serq.menu';
    this.disposables = [
      this.item,
      server.onStatus(status => {
        this.byUri.set(status.uri, status);
        this.update();
      }),
      server.onState(up => {
        this.up = up;
        if (!up) this.byUri.clear();
        this.update();
      }),
      vscode.window.onDidChangeActiveTextEditor(() => this.update()),
      vscode.workspace.onDidCloseTextDocument(document => void this.byUri.delete(server.uri(document.uri))),
    ];
    this.update();
  }

  /** What is shown, for tests and for the menu. */
  get text(): string {
    return this.item.text;
  }

  of(uri: vscode.Uri): StatusParams | undefined {
    return this.byUri.get(this.server.uri(uri));
  }

  private update(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== 'serq') {
      this.item.hide();
      void vscode.commands.executeCommand('setContext', 'serq.state', 'none');
      return;
    }
    const status = this.of(document.uri);
    void vscode.commands.executeCommand('setContext', 'serq.state', status?.state ?? 'none');
    this.item.text = this.up ? label(status) : '$(circle-slash) serQ';
    this.item.tooltip = this.up ? tooltip(status) : 'serQ: the server is not running';
    this.item.backgroundColor = !this.up || status?.state === 'failed'
      ? new vscode.ThemeColor('statusBarItem.errorBackground')
      : status?.verdict === 'stuck' || status?.verdict === 'overloaded'
        ? new vscode.ThemeColor('statusBarItem.warningBackground')
        : undefined;
    this.item.show();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }
}

function label(status: StatusParams | undefined): string {
  if (status === undefined) return 'serQ';
  if (status.errors > 0) return `$(warning) serQ: ${status.errors} ${status.errors === 1 ? 'error' : 'errors'}`;
  const percent = status.state === 'running' && status.progress !== null ? ` ${Math.round(status.progress * 100)} %` : '';
  const verdict = status.state === 'idle' && status.verdict !== null ? `: ${status.verdict}` : '';
  const state = status.state === 'idle' ? '' : `: ${status.state}`;
  return `${ICONS[status.state]} serQ${state}${verdict}${percent}`;
}

function tooltip(status: StatusParams | undefined): string {
  if (status === undefined) return 'serQ: nothing has run yet';
  return [`serQ: ${status.state}`, status.message ?? '', vscode.workspace.isTrusted ? '' : 'Restricted mode: static checks only']
    .filter(Boolean).join('\n');
}

interface Choice extends vscode.QuickPickItem { command: string }

/** The menu behind the item: what can be done now, first what is likely. */
export async function showMenu(status: StatusParams | undefined): Promise<void> {
  const choice = (icon: string, text: string, command: string, description = ''): Choice =>
    ({ label: `$(${icon}) ${text}`, command, description });
  const trusted = vscode.workspace.isTrusted;
  const running = status?.state === 'running';
  const run: Choice[] = running
    ? [choice('debug-stop', 'Stop simulation', 'serq.stop', status.message ?? '')]
    : trusted ? [choice('play', 'Run simulation', 'serq.run', status?.message ?? '')] : [];
  const items: Choice[] = [
    ...run,
    choice('graph-line', 'Show results', 'serq.openResults'),
    choice('pin', 'Pin results as baseline', 'serq.pinBaseline'),
    choice('diff', 'Compare with baseline', 'serq.compare'),
    ...(trusted
      ? [
          choice('beaker', 'Sweep a constant…', 'serq.sweep'),
          choice('watch', 'Explain the slowest request', 'serq.explainSlowest'),
          choice('type-hierarchy', 'Explore all orders', 'serq.explore'),
        ]
      : [choice('shield', 'Manage workspace trust…', 'workbench.trust.manage', 'static checks only until the workspace is trusted')]),
    ...(trusted ? [choice('list-ordered', 'Show event log', 'serq.events')] : []),
    choice('circuit-board', 'Show automaton', 'serq.automaton'),
    choice('output', 'Show logs', 'serq.showLogs'),
    choice('debug-restart', 'Restart server', 'serq.restartServer'),
    choice('book', 'Open manual', 'serq.openManual'),
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: 'serQ', placeHolder: status?.message ?? 'What to do with this program' });
  if (chosen !== undefined) await vscode.commands.executeCommand(chosen.command);
}
