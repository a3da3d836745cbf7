/** Tasks `serq: check` and `serq: run`: the same server, asked on its command line. */
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from './client';
import { findServer } from './server';

interface SerqTask extends vscode.TaskDefinition {
  type: 'serq';
  command: 'check' | 'run';
  file?: string;
  args?: string[];
}

export class Tasks implements vscode.TaskProvider {
  constructor(private readonly context: vscode.ExtensionContext, private readonly server: Server) {}

  async provideTasks(): Promise<vscode.Task[]> {
    const active = vscode.window.activeTextEditor?.document;
    const tasks: vscode.Task[] = [];
    if (active?.languageId === 'serq' && active.uri.scheme === 'file') {
      const folder = vscode.workspace.getWorkspaceFolder(active.uri);
      const file = folder === undefined ? active.uri.fsPath : path.relative(folder.uri.fsPath, active.uri.fsPath);
      const commands = vscode.workspace.isTrusted ? ['check', 'run'] as const : ['check'] as const;
      for (const command of commands) tasks.push(await this.task({ type: 'serq', command, file }, folder));
    }
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      tasks.push(await this.task({ type: 'serq', command: 'check', file: '.' }, folder));
    }
    return tasks;
  }

  async resolveTask(task: vscode.Task): Promise<vscode.Task | undefined> {
    const definition = task.definition as SerqTask;
    if (!['check', 'run'].includes(definition.command)) return undefined;
    const folder = typeof task.scope === 'object' ? task.scope : vscode.workspace.workspaceFolders?.[0];
    return this.task(definition, folder);
  }

  private async task(definition: SerqTask, folder: vscode.WorkspaceFolder | undefined): Promise<vscode.Task> {
    const file = definition.file ?? vscode.window.activeTextEditor?.document.uri.fsPath ?? '.';
    const format = definition.command === 'check' ? ['--format', 'concise'] : [];
    const args = [definition.command, ...format, ...(definition.args ?? []), file];
    const task = new vscode.Task(
      definition, folder ?? vscode.TaskScope.Workspace, `${definition.command} ${file === '.' ? 'all programs' : file}`, 'serq',
      await this.execution(args, folder), definition.command === 'check' ? ['$serq'] : [],
    );
    task.group = definition.command === 'check' ? vscode.TaskGroup.Build : vscode.TaskGroup.Test;
    task.presentationOptions = { clear: true, showReuseMessage: false };
    return task;
  }

  private async execution(args: string[], folder: vscode.WorkspaceFolder | undefined): Promise<vscode.ProcessExecution> {
    const found = this.server.command ?? (await findServer(this.context)).found;
    const cwd = folder?.uri.fsPath;
    const options = { ...(cwd === undefined ? {} : { cwd }), env: found?.env ?? {} };
    // Without a server the task fails with the shell's own "not found", which says what is missing.
    return new vscode.ProcessExecution(found?.command ?? 'serq-lsp', [...(found?.args ?? []), ...args], options);
  }
}
