/** The settings the client itself reads; the rest of the section `serq` is read by the server. */
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';

export const SECTION = 'serq';

/** Changing one of these needs another server process. */
export const RESTART_SETTINGS = ['serq.server.path', 'serq.server.python'];

export function serverPath(): string {
  return expand(vscode.workspace.getConfiguration(SECTION).get<string>('server.path', ''));
}

export function serverPython(): string {
  return expand(vscode.workspace.getConfiguration(SECTION).get<string>('server.python', ''));
}

export function followCursor(): boolean {
  return vscode.workspace.getConfiguration(SECTION).get<boolean>('panel.followCursor', true);
}

/** Replaces `~` and `${workspaceFolder}`; a relative path is one in the first workspace folder. */
export function expand(value: string): string {
  const text = value.trim();
  if (text === '') return '';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const replaced = text
    .replace(/^~(?=$|[\\/])/, os.homedir())
    .replaceAll('${workspaceFolder}', folder ?? '');
  return path.isAbsolute(replaced) || folder === undefined ? replaced : path.join(folder, replaced);
}
