/** The language client and the life of the server process: start, handshake, restart, one notification on failure. */
import * as readline from 'node:readline';
import type { Readable } from 'node:stream';
import * as vscode from 'vscode';
import {
  CloseAction, ErrorAction, ExecuteCommandRequest, LanguageClient, State,
  type CloseHandlerResult, type DynamicFeature, type ErrorHandler, type ErrorHandlerResult, type LanguageClientOptions, type StaticFeature,
} from 'vscode-languageclient/node';
import { PROTOCOL_VERSION, type ResultsParams, type ServerFacts, type StatusParams } from './protocol';
import { describe, findServer, reason, type Lookup, type ServerCommand } from './server';
import { RESTART_SETTINGS, SECTION } from './settings';
import { onSelectedPython } from './python';

/** After this many deaths within the window the server stays down until it is asked for. */
const DEATHS = 4;
const WINDOW_MS = 180_000;

/** The library would register the server's commands by itself; ours add arguments and show the answers. */
class Client extends LanguageClient {
  override registerFeature(feature: StaticFeature | DynamicFeature<unknown>): void {
    if ('registrationType' in feature && feature.registrationType.method === 'workspace/executeCommand') return;
    super.registerFeature(feature);
  }

  /** The library's errors go to the log; what a person must see, the server's owner shows once and with a button. */
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export class Server implements vscode.Disposable {
  private client: Client | undefined;
  private lookup: Lookup | undefined;
  private pending: Promise<void> = Promise.resolve();
  private deaths: number[] = [];
  private answered = false;
  private readonly disposables: vscode.Disposable[] = [];
  private readonly statusEmitter = new vscode.EventEmitter<StatusParams>();
  private readonly resultsEmitter = new vscode.EventEmitter<ResultsParams>();
  private readonly stateEmitter = new vscode.EventEmitter<boolean>();

  readonly onStatus = this.statusEmitter.event;
  readonly onResults = this.resultsEmitter.event;
  /** Fires with true when the server answers, with false when it is gone. */
  readonly onState = this.stateEmitter.event;

  constructor(private readonly context: vscode.ExtensionContext, readonly log: vscode.LogOutputChannel) {
    this.disposables.push(
      this.statusEmitter, this.resultsEmitter, this.stateEmitter,
      vscode.workspace.onDidChangeConfiguration(event => {
        if (RESTART_SETTINGS.some(name => event.affectsConfiguration(name))) void this.restart();
        else if (event.affectsConfiguration(SECTION)) void this.sendSettings();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.restart()),
    );
    void onSelectedPython(() => void this.restart()).then(
      listener => { if (listener !== undefined) this.disposables.push(listener); },
      (error: unknown) => this.log.warn(`the Python extension cannot be asked: ${reason(error)}`),
    );
  }

  get running(): boolean {
    return this.client?.isRunning() ?? false;
  }

  get lastLookup(): Lookup | undefined {
    return this.lookup;
  }

  get command(): ServerCommand | undefined {
    return this.lookup?.found ?? undefined;
  }

  get pid(): number | undefined {
    return this.client?.serverProcess?.pid;
  }

  /** Both versions and the protocol, for "Print Environment". */
  get facts(): { server: string | undefined; protocol: number | undefined } {
    const result = this.client?.initializeResult;
    const experimental = result?.capabilities.experimental as { serq?: ServerFacts } | undefined;
    return { server: result?.serverInfo?.version, protocol: experimental?.serq?.protocol };
  }

  start(): Promise<void> {
    return this.queue(() => this.doStart());
  }

  restart(): Promise<void> {
    this.deaths = [];
    return this.queue(async () => {
      await this.doStop();
      await this.doStart();
    });
  }

  /** Starts and stops never overlap: each waits for the one before. */
  private queue(step: () => Promise<void>): Promise<void> {
    this.pending = this.pending.then(step, step);
    return this.pending;
  }

  private async doStart(): Promise<void> {
    try {
      this.lookup = await findServer(this.context);
    } catch (error) {
      const message = `The serQ server could not be looked for: ${reason(error)}`;
      this.lookup = { found: null, attempts: [], lack: 'nothing', message };
    }
    this.log.info(['looking for the server:', ...describe(this.lookup)].join('\n'));
    if (this.lookup.found === null) {
      this.stateEmitter.fire(false);
      this.log.error(this.lookup.message);
      void this.offerHelp(this.lookup);
      return;
    }
    const client = this.createClient(this.lookup.found);
    this.client = client;
    this.answered = false;
    try {
      await client.start();
      this.answered = true;
      this.handshake();
      this.stateEmitter.fire(true);
    } catch (error) {
      this.stateEmitter.fire(false);
      const why = this.answered ? reason(error) : 'it ended before it answered';
      this.log.error(`the server did not start: ${reason(error)}`);
      void this.offer(`The serQ server (${this.lookup.found.command}) did not start: ${why}.`, {
        'Show Logs': () => this.log.show(),
        'Restart': () => void this.restart(),
      });
    }
  }

  private async doStop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client === undefined) return;
    this.stateEmitter.fire(false);
    try {
      if (client.needsStop()) await client.stop();
      await client.dispose();
    } catch (error) {
      this.log.warn(`the server did not stop in order: ${reason(error)}`);
    }
  }

  private createClient(server: ServerCommand): Client {
    const options: LanguageClientOptions = {
      documentSelector: [{ scheme: 'file', language: 'serq' }, { scheme: 'untitled', language: 'serq' }],
      outputChannel: this.log,
      stdioOptions: { stdout: () => undefined, stderr: input => copyLines(input, this.log) },
      initializationOptions: {
        protocol: PROTOCOL_VERSION,
        client: { name: 'vscode', version: version(this.context) },
        trusted: vscode.workspace.isTrusted,
        commands: ['serq.openResults', 'serq.revealRange'],
        settings: vscode.workspace.getConfiguration(SECTION),
      },
      initializationFailedHandler: () => false,
      errorHandler: this.errorHandler(),
      markdown: { isTrusted: { enabledCommands: ['serq.openResults', 'serq.revealRange', 'serq.run'] }, supportHtml: false },
    };
    const client = new Client('serq', 'serQ', {
      command: server.command,
      args: [...server.args, 'lsp'],
      // Not the workspace's folder: nothing there may be imported or run by accident.
      options: { cwd: this.context.extensionPath, env: { ...process.env, ...server.env } },
    }, options);
    client.onNotification('serq/status', (status: StatusParams) => this.statusEmitter.fire(status));
    client.onNotification('serq/results', (results: ResultsParams) => this.resultsEmitter.fire(results));
    client.onDidChangeState(({ newState }) => {
      if (client !== this.client) return;
      if (newState === State.Running) this.stateEmitter.fire(true);
      if (newState === State.Stopped) this.stateEmitter.fire(false);
    });
    return client;
  }

  private errorHandler(): ErrorHandler {
    return {
      error: (error, _message, count): ErrorHandlerResult => {
        this.log.error(`connection: ${error.message}`);
        return { action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown, handled: true };
      },
      closed: (): CloseHandlerResult => {
        // A server that never answered would not the next time: start() reports it, once.
        if (!this.answered) return { action: CloseAction.DoNotRestart, handled: true };
        const now = Date.now();
        this.deaths = [...this.deaths.filter(at => now - at < WINDOW_MS), now];
        if (this.deaths.length < DEATHS) {
          this.log.warn(`the server ended unexpectedly (${this.deaths.length} of ${DEATHS}); it is started again`);
          return { action: CloseAction.Restart, handled: true };
        }
        this.log.error(`the server ended ${DEATHS} times within ${WINDOW_MS / 60_000} minutes; it stays down`);
        void this.offer('The serQ server keeps ending.', {
          'Show Logs': () => this.log.show(),
          'Restart': () => void this.restart(),
        });
        return { action: CloseAction.DoNotRestart, handled: true };
      },
    };
  }

  /** Versions are compared once per start; a server of another protocol still gives plain LSP. */
  private handshake(): void {
    const { server, protocol } = this.facts;
    const own = version(this.context);
    this.log.info(`server ${server ?? '(no version)'}, extension ${own}, protocol ${protocol ?? 'none'} (ours: ${PROTOCOL_VERSION})`);
    if (protocol === PROTOCOL_VERSION) return;
    const older = protocol === undefined || protocol < PROTOCOL_VERSION ? 'server' : 'extension';
    void this.offer(
      `The serQ server (${server ?? 'unknown'}) and extension (${own}) do not match: update the ${older}. Results and tests may be missing.`,
      { 'Print Environment': () => void vscode.commands.executeCommand('serq.printEnvironment') },
    );
  }

  private async offerHelp(lookup: Lookup & { found: null }): Promise<void> {
    const openSetting = (): void => void vscode.commands.executeCommand('workbench.action.openSettings', 'serq.server');
    const pythonExtension = vscode.extensions.getExtension('ms-python.python') !== undefined;
    switch (lookup.lack) {
      case 'setting':
        return this.offer(lookup.message, { 'Open Setting': openSetting, 'Show Logs': () => this.log.show() });
      case 'python':
        return this.offer(lookup.message, {
          ...(pythonExtension ? { 'Select Interpreter': () => void vscode.commands.executeCommand('python.setInterpreter') } : {}),
          'Set Python Path': openSetting,
          'Get Python': () => void vscode.env.openExternal(vscode.Uri.parse('https://www.python.org/downloads/')),
        });
      case 'nothing':
        return this.offer(`${lookup.message} Install it with "pip install serq-lsp".`, {
          'Copy Command': () => void vscode.env.clipboard.writeText('python3 -m pip install serq-lsp'),
          'Set Server Path': openSetting,
          'Show Logs': () => this.log.show(),
        });
    }
  }

  private async offer(message: string, actions: Record<string, () => void>): Promise<void> {
    const chosen = await vscode.window.showErrorMessage(message, ...Object.keys(actions));
    if (chosen !== undefined) actions[chosen]?.();
  }

  /** Tells the server that settings changed, whether or not it registered for it. */
  private async sendSettings(): Promise<void> {
    if (this.client === undefined || !this.running) return;
    await this.client.sendNotification('workspace/didChangeConfiguration', { settings: { [SECTION]: vscode.workspace.getConfiguration(SECTION) } });
  }

  /** Asks the server to carry out one of its commands. Rejects with the server's message, or when it is not there. */
  async execute<T>(command: string, args: unknown[], token?: vscode.CancellationToken): Promise<T> {
    await this.pending;
    if (this.client === undefined || !this.running) throw new Error('The serQ server is not running.');
    return await this.client.sendRequest(ExecuteCommandRequest.type, { command, arguments: args }, token) as T;
  }

  /** The command names that the server offers. */
  get commands(): string[] {
    return this.client?.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  }

  /** The document's name as the protocol writes it. */
  uri(document: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(document) ?? document.toString();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  stop(): Promise<void> {
    return this.queue(() => this.doStop());
  }
}

/** The server's own log: its level where a line names one. */
function copyLines(input: Readable, log: vscode.LogOutputChannel): void {
  readline.createInterface({ input, terminal: false }).on('line', line => {
    const level = /^Traceback|\b(CRITICAL|ERROR|WARNING|DEBUG)\b/.exec(line.slice(0, 40));
    if (level === null) log.info(line);
    else if (level[1] === 'WARNING') log.warn(line);
    else if (level[1] === 'DEBUG') log.debug(line);
    else log.error(line);
  });
}

export function version(context: vscode.ExtensionContext): string {
  return (context.extension.packageJSON as { version: string }).version;
}
