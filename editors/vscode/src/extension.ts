/** Activation: makes the parts and connects them. What it returns is there for tests and other extensions. */
import * as vscode from 'vscode';
import { Server } from './client';
import { registerCommands } from './commands';
import { Panel } from './panel/panel';
import { findServer, type Lookup } from './server';
import { Status } from './status';
import { Tasks } from './tasks';
import { Tests } from './tests';

export interface Api {
  server: Server;
  status: Status;
  panel: Panel;
  tests: Tests;
  lookUp: () => Promise<Lookup>;
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel('serQ', { log: true });
  server = new Server(context, log);
  const status = new Status(server);
  const panel = new Panel(context, server);
  const tests = new Tests(server);
  context.subscriptions.push(
    log, server, status, panel, tests,
    ...registerCommands({ context, server, status, panel }),
    vscode.tasks.registerTaskProvider('serq', new Tasks(context, server)),
  );
  void server.start();
  return { server, status, panel, tests, lookUp: () => findServer(context) };
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}
