/**
 * Where the server is: the documented order.
 *
 * 1. `serq.server.path`: that and nothing else, when it is set
 * 2. the selected Python environment, in a trusted workspace
 * 3. `serq-lsp` on PATH
 * 4. the server bundled with the extension, run by a Python ≥ 3.11
 *
 * Every look is noted, so that the log and "Print Environment" can say what was tried and why it was passed over.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import * as python from './python';
import * as settings from './settings';

export type Source = 'setting' | 'environment' | 'path' | 'bundled';

export interface ServerCommand {
  source: Source;
  command: string;
  /** Arguments before the subcommand (`lsp`, `check`, …). */
  args: string[];
  env: Record<string, string>;
  version: string;
}

export interface Attempt { source: Source; what: string; outcome: string }

/** Why no server was found, as the notification needs to know it. */
export type Lack = 'setting' | 'python' | 'nothing';

export type Lookup =
  | { found: ServerCommand; attempts: Attempt[] }
  | { found: null; attempts: Attempt[]; lack: Lack; message: string };

const MODULE = ['-P', '-m', 'serq_lsp'];

export async function findServer(context: vscode.ExtensionContext): Promise<Lookup> {
  const home = context.extensionPath;
  const attempts: Attempt[] = [];
  const note = (source: Source, what: string, outcome: string): void => void attempts.push({ source, what, outcome });

  const setting = settings.serverPath();
  if (setting !== '') {
    try {
      const found = await fromFile('setting', setting, home);
      note('setting', setting, `used, version ${found.version}`);
      return { found, attempts };
    } catch (error) {
      note('setting', setting, reason(error));
      return { found: null, attempts, lack: 'setting', message: `The setting serq.server.path does not work: ${setting}: ${reason(error)}` };
    }
  }
  note('setting', 'serq.server.path', 'not set');

  const found = (await fromEnvironment(home, note)) ?? (await fromPath(home, note)) ?? (await fromBundle(home, note));
  if (found !== undefined) return { found, attempts };
  const bundled = fs.existsSync(bundle(home));
  return bundled
    ? { found: null, attempts, lack: 'python', message: 'The serQ server needs Python 3.11 or later, and none was found.' }
    : { found: null, attempts, lack: 'nothing', message: 'The serQ server was not found.' };
}

type Note = (source: Source, what: string, outcome: string) => void;

async function fromEnvironment(home: string, note: Note): Promise<ServerCommand | undefined> {
  if (!vscode.workspace.isTrusted) {
    note('environment', 'selected Python', 'not asked: the workspace is not trusted');
    return undefined;
  }
  let selected: string | undefined;
  try {
    selected = await python.selectedPython();
    if (selected === undefined) {
      note('environment', 'selected Python', 'none selected');
      return undefined;
    }
    const found = await fromFile('environment', selected, home);
    note('environment', selected, `used, version ${found.version}`);
    return found;
  } catch (error) {
    note('environment', selected ?? 'selected Python', reason(error));
    return undefined;
  }
}

async function fromPath(home: string, note: Note): Promise<ServerCommand | undefined> {
  const file = python.onPath('serq-lsp');
  if (file === undefined) {
    note('path', 'serq-lsp', 'not on PATH');
    return undefined;
  }
  try {
    const found = await fromFile('path', file, home);
    note('path', file, `used, version ${found.version}`);
    return found;
  } catch (error) {
    note('path', file, reason(error));
    return undefined;
  }
}

/** The folder with the bundled server's packages. */
export function bundle(home: string): string {
  return path.join(home, 'server', 'libs');
}

async function fromBundle(home: string, note: Note): Promise<ServerCommand | undefined> {
  const libs = bundle(home);
  if (!fs.existsSync(path.join(libs, 'serq_lsp'))) {
    note('bundled', libs, 'this build of the extension carries no server');
    return undefined;
  }
  for (const candidate of await interpreters(note)) {
    try {
      const interpreter = await python.ask(candidate, home);
      if (!python.recentEnough(interpreter)) {
        note('bundled', candidate, `is Python ${interpreter.version.join('.')}, older than ${python.OLDEST_PYTHON.join('.')}`);
        continue;
      }
      const version = fs.readFileSync(path.join(home, 'server', 'VERSION'), 'utf8').trim();
      note('bundled', candidate, `used, version ${version}`);
      // PYTHONSAFEPATH and PYTHONPATH reach the worker processes too, which -P alone would not.
      const env = { PYTHONPATH: libs, PYTHONSAFEPATH: '1', PYTHONNOUSERSITE: '1', PYTHONDONTWRITEBYTECODE: '' };
      return { source: 'bundled', command: candidate, args: MODULE, env, version };
    } catch (error) {
      note('bundled', candidate, reason(error));
    }
  }
  return undefined;
}

async function interpreters(note: Note): Promise<string[]> {
  const setting = settings.serverPython();
  if (setting !== '') return [setting];
  // A Python extension that fails has been noted above already.
  const selected = vscode.workspace.isTrusted ? await python.selectedPython().catch(() => undefined) : undefined;
  const named = python.PYTHON_NAMES.map(python.onPath).filter(file => file !== undefined);
  if (named.length === 0) note('bundled', python.PYTHON_NAMES.join(', '), 'not on PATH');
  return [...new Set(selected === undefined ? named : [selected, ...named])];
}

/** A server from a file: a Python that has the package, or the `serq-lsp` program. Rejects with the reason. */
async function fromFile(source: Source, file: string, home: string): Promise<ServerCommand> {
  if (!python.looksLikePython(file)) {
    const said = (await python.output(file, ['--version'], home)).trim();
    const version = /(\d+\.\d+\S*)\s*$/.exec(said)?.[1];
    if (version === undefined) throw new Error(`is not serq-lsp (--version says "${said.slice(0, 60)}")`);
    return { source, command: file, args: [], env: {}, version };
  }
  const interpreter = await python.ask(file, home);
  if (interpreter.serq === null) throw new Error('has no serq-lsp installed');
  if (!python.recentEnough(interpreter)) throw new Error(`is Python ${interpreter.version.join('.')}, older than ${python.OLDEST_PYTHON.join('.')}`);
  return { source, command: file, args: MODULE, env: {}, version: interpreter.serq };
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function describe(lookup: Lookup): string[] {
  return lookup.attempts.map(({ source, what, outcome }) => `  ${source}: ${what}: ${outcome}`);
}
