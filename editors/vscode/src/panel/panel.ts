/** The results panel: one webview beside the program, fed with snapshots of the server's results. */
import * as crypto from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../client';
import { reveal } from '../commands';
import type { Results } from '../protocol';
import { reason } from '../server';
import { followCursor } from '../settings';
import type { FromPanel, ToPanel, View } from './messages';

const TYPE = 'serq.results';

export class Panel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private uri: vscode.Uri | undefined;
  private ready = false;
  private queued: ToPanel[] = [];
  private timeline: { from: number; to: number; first: number; limit: number } | undefined;
  private asking = false;
  private news = 0;
  private saving: Promise<void> = Promise.resolve();
  private readonly disposables: vscode.Disposable[];
  /** What the webview said it drew last, for tests. */
  rendered: { generation: number; charts: number } | undefined;

  constructor(private readonly context: vscode.ExtensionContext, private readonly server: Server) {
    this.disposables = [
      server.onResults(({ uri }) => {
        if (this.shows(uri)) void this.update();
      }),
      server.onStatus(status => {
        if (this.shows(status.uri)) this.post({ type: 'status', status });
      }),
      vscode.window.onDidChangeTextEditorSelection(event => this.follow(event)),
      vscode.window.onDidChangeActiveTextEditor(editor => {
        if (editor?.document.languageId === 'serq' && this.panel !== undefined) void this.turnTo(editor.document.uri);
      }),
      vscode.window.registerWebviewPanelSerializer(TYPE, {
        deserializeWebviewPanel: async (panel, state: unknown) => {
          const uri = typeof state === 'object' && state !== null && 'uri' in state ? String(state.uri) : undefined;
          this.adopt(panel);
          if (uri !== undefined) await this.turnTo(vscode.Uri.parse(uri));
        },
      }),
    ];
  }

  get visible(): boolean {
    return this.panel?.visible ?? false;
  }

  /** Opens the panel for a program, at one of its observations, pools, stages … when an id is given. */
  async open(uri: vscode.Uri, id?: string): Promise<void> {
    if (this.panel === undefined) {
      this.adopt(vscode.window.createWebviewPanel(TYPE, 'serQ results', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
        retainContextWhenHidden: true,
      }));
    } else {
      this.panel.reveal(undefined, true);
    }
    await this.turnTo(uri);
    if (id !== undefined) this.post({ type: 'focus', id });
  }

  /** Shows the answer of a command; the panel is opened when it is not there. */
  show(uri: vscode.Uri, view: View): void {
    void this.open(uri).then(() => this.post({ type: 'view', view }));
  }

  async refresh(uri: vscode.Uri): Promise<void> {
    if (this.shows(this.server.uri(uri))) await this.update();
  }

  private shows(uri: string): boolean {
    return this.uri !== undefined && this.server.uri(this.uri) === uri;
  }

  private async turnTo(uri: vscode.Uri): Promise<void> {
    if (this.uri?.toString() !== uri.toString()) {
      this.uri = uri;
      this.timeline = undefined;
    }
    await this.update();
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.ready = false;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, 'dist');
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'images', 'file-light.svg');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist], enableForms: false };
    panel.webview.html = html(panel.webview, dist);
    panel.webview.onDidReceiveMessage((message: FromPanel) => void this.receive(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.uri = undefined;
      this.queued = [];
    });
  }

  /** Asks for one snapshot at a time: while one is on its way further news is counted, not queued. */
  private async update(): Promise<void> {
    this.news++;
    if (this.asking) return;
    this.asking = true;
    try {
      for (let seen = -1; seen !== this.news;) {
        seen = this.news;
        await this.fetch();
      }
    } finally {
      this.asking = false;
    }
  }

  private async fetch(): Promise<void> {
    const uri = this.uri;
    if (uri === undefined || this.panel === undefined) return;
    const title = vscode.workspace.asRelativePath(uri);
    this.panel.title = `serQ: ${title.split('/').at(-1) ?? title}`;
    const ask = (options: object): Promise<Results | null> => this.server.execute('serq.results', [this.server.uri(uri), options]);
    try {
      // The sessions take a second run: what is known already does not wait for them.
      const results = await ask({ timeline: false });
      this.post({ type: 'results', results, title });
      if (results === null || results.state === 'running' || results.state === 'failed') return;
      const timed = await ask(this.timeline === undefined ? {} : { timeline: this.timeline });
      if (this.uri === uri && timed?.generation === results.generation) this.post({ type: 'results', results: timed, title });
    } catch (error) {
      this.server.log.warn(`results: ${reason(error)}`);
      this.post({ type: 'results', results: null, title });
    }
  }

  private post(message: ToPanel): void {
    if (this.ready && this.panel !== undefined) void this.panel.webview.postMessage(message);
    else this.queued.push(message);
  }

  private async receive(message: FromPanel): Promise<void> {
    const uri = this.uri;
    switch (message.type) {
      case 'ready':
        this.ready = true;
        for (const waiting of this.queued.splice(0)) this.post(waiting);
        return;
      case 'rendered':
        this.rendered = { generation: message.generation, charts: message.charts };
        return;
      case 'reveal':
        if (uri !== undefined) await reveal(uri, message.range, message.preview);
        return;
      case 'timeline':
        this.timeline = { from: message.from, to: message.to, first: message.first, limit: message.limit };
        return this.update();
      case 'save':
        // One dialog at a time: a second one would take the first one's place.
        this.saving = this.saving.then(() => save(message.name, message.text, uri)).catch((error: unknown) => {
          void vscode.window.showErrorMessage(`serQ: ${message.name} was not saved: ${reason(error)}`);
        });
        return this.saving;
      case 'explore':
        await vscode.commands.executeCommand('serq.explore', uri, { sessions: message.sessions });
        return;
      case 'command':
        return this.command(message.command, uri);
    }
  }

  private async command(command: Extract<FromPanel, { type: 'command' }>['command'], uri: vscode.Uri | undefined): Promise<void> {
    if (uri === undefined) return;
    const [name, ...rest] = {
      run: ['serq.run'], stop: ['serq.stop'], pin: ['serq.pinBaseline'], unpin: ['serq.pinBaseline', { unpin: true }],
      compare: ['serq.compare'], explain: ['serq.explainSlowest'],
    }[command] as [string, ...unknown[]];
    await vscode.commands.executeCommand(name, uri, ...rest);
  }

  private follow({ textEditor, selections }: vscode.TextEditorSelectionChangeEvent): void {
    if (this.panel?.visible !== true || textEditor.document.uri.toString() !== this.uri?.toString() || !followCursor()) return;
    this.post({ type: 'highlight', line: selections[0]?.active.line ?? null });
  }

  dispose(): void {
    this.panel?.dispose();
    for (const disposable of this.disposables) disposable.dispose();
  }
}

async function save(name: string, text: string, beside: vscode.Uri | undefined): Promise<void> {
  const folder = beside?.scheme === 'file' ? vscode.Uri.joinPath(beside, '..') : vscode.workspace.workspaceFolders?.[0]?.uri;
  const extension = name.split('.').at(-1) ?? 'txt';
  const target = await vscode.window.showSaveDialog({
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }), filters: { [extension.toUpperCase()]: [extension] },
  });
  if (target !== undefined) await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
}

/** The page: everything from `dist`, scripts by nonce only, no network. */
function html(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = crypto.randomBytes(16).toString('base64url');
  const script = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'panel.js')).toString();
  const style = webview.asWebviewUri(vscode.Uri.joinPath(dist, 'panel.css')).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; img-src ${webview.cspSource}; font-src ${webview.cspSource}`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" href="${style}">
  <title>serQ results</title>
</head>
<body>
  <main id="root"></main>
  <script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}
