/**
 * Finding Python interpreters and asking them what they are.
 *
 * An interpreter is asked in a folder of ours and started with `-P`, so that no module of the open folder is imported.
 */
import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';

export const OLDEST_PYTHON = [3, 11] as const;

export interface Interpreter {
  executable: string;
  version: [number, number, number];
  /** The version of the `serq-lsp` distribution that it can import, or null. */
  serq: string | null;
}

const QUESTION = `
import importlib.metadata as m, importlib.util as u, json, sys
serq = None
if u.find_spec("serq_lsp") is not None:
    try:
        serq = m.version("serq-lsp")
    except m.PackageNotFoundError:
        serq = "unknown"
print(json.dumps({"executable": sys.executable, "version": sys.version_info[:3], "serq": serq}))
`;

/** Runs a program and gives its standard output; rejects with one line that says why it did not work. */
export function output(command: string, args: string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, timeout: 15000, windowsHide: true }, (error, stdout, stderr) => {
      if (error === null) {
        resolve(stdout);
        return;
      }
      const last = stderr.trim().split('\n').at(-1) ?? '';
      reject(new Error(error.code === 'ENOENT' ? 'no such program' : last || error.message.split('\n')[0]));
    });
  });
}

/** Asks an interpreter what it is. Rejects with a readable reason. */
export async function ask(executable: string, cwd: string, args: string[] = []): Promise<Interpreter> {
  const answer = JSON.parse(await output(executable, [...args, '-c', QUESTION], cwd)) as Interpreter;
  return answer;
}

export function recentEnough(interpreter: Interpreter): boolean {
  const [major, minor] = interpreter.version;
  return major > OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor >= OLDEST_PYTHON[1]);
}

export function looksLikePython(file: string): boolean {
  return /^(python|pypy)[\d.]*(\.exe)?$/i.test(path.basename(file));
}

interface PythonExtension {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(environment: { path: string }): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>('ms-python.python');
  return extension === undefined ? undefined : await extension.activate();
}

/** The interpreter selected in the Python extension, or the setting that extension reads when it is not there. */
export async function selectedPython(): Promise<string | undefined> {
  const python = await pythonExtension();
  if (python !== undefined) {
    const environment = python.environments.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    const resolved = await python.environments.resolveEnvironment(environment);
    return resolved?.executable.uri?.fsPath;
  }
  const setting = vscode.workspace.getConfiguration('python').get<string>('defaultInterpreterPath', '');
  return setting === '' || !path.isAbsolute(setting) ? undefined : setting;
}

/** Calls back when another Python environment is selected. */
export async function onSelectedPython(callback: () => void): Promise<vscode.Disposable | undefined> {
  const python = await pythonExtension();
  return python?.environments.onDidChangeActiveEnvironmentPath(callback);
}

/** The first file of that name in an absolute folder of PATH; relative entries are left out on purpose. */
export function onPath(name: string): string | undefined {
  const suffixes = process.platform === 'win32' ? (process.env.PATHEXT ?? '.EXE;.CMD').split(';') : [''];
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    for (const suffix of suffixes) {
      const file = path.join(folder, name + suffix);
      if (isExecutable(file)) return file;
    }
  }
  return undefined;
}

function isExecutable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false; // not there, or not ours to run: both mean "look further"
  }
}

/** Names of interpreters to try on PATH, the newest first. */
export const PYTHON_NAMES = ['python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3', 'python'];
