// node tests/e2e/vscode/run.mjs [--only NAME ...] [--out DIR] [--skip-package] [--again]
// --again: a group in which something failed runs once more, and the second run counts.
// The extension in a real workbench: extension-host tests and workbench tests. Needs VSH_HOME (harness/setup.sh), a
// `npm ci` in editors/vscode, and a Python 3.11 that has the project installed (SERQ_PYTHON, default ../../../.venv or python3).
// Status 0: all passed, 1: something failed, 2: wrong use or missing set-up.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startWorkbench } from './harness/workbench.mjs';
import { takePictures } from './workbench/pictures.mjs';
import { failureTests, workbenchTests } from './workbench/index.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, '../../..');
const extension = path.join(root, 'editors/vscode');
const { values: options } = parseArgs({ options: {
  only: { type: 'string', multiple: true, default: [] }, out: { type: 'string' }, 'skip-package': { type: 'boolean', default: false },
  again: { type: 'boolean', default: false } } });
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(2)); // what was started is ended on exit
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'serq-e2e-'));
const out = path.resolve(options.out ?? path.join(temporary, 'pictures'));
fs.mkdirSync(out, { recursive: true });

function which(names) {
  for (const name of names) {
    try {
      return execFileSync(name, ['-c', 'import sys; assert sys.version_info >= (3, 11); print(sys.executable)'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch { /* the next one */ }
  }
  console.error('no Python 3.11 or later: name one in SERQ_PYTHON');
  process.exit(2);
}

function script(folder, name, text) {
  const file = path.join(temporary, folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

/** Programs that the tests put on PATH or into settings. */
const python = which([process.env.SERQ_PYTHON, path.join(root, '.venv/bin/python'), 'python3'].filter(Boolean));
const plain = which(['/usr/bin/python3', 'python3']);
const stub = path.join(here, 'fixtures/stub');
const made = {
  program: script('bin', 'serq-lsp', `PYTHONPATH='${stub}' exec '${plain}' -m serq_lsp "$@"`),
  python: script('environment', 'python', `PYTHONPATH='${stub}' exec '${plain}' "$@"`),
  emptyPython: script('other', 'python', `exec '${plain}' -I "$@"`),
  otherProtocol: script('other-protocol', 'serq-lsp', `SERQ_STUB_PROTOCOL=2 PYTHONPATH='${stub}' exec '${plain}' -m serq_lsp "$@"`),
  dies: script('dies', 'serq-lsp', `SERQ_STUB_DIES=at-once PYTHONPATH='${stub}' exec '${plain}' -m serq_lsp "$@"`),
  diesLater: script('dies-later', 'serq-lsp', `SERQ_STUB_DIES=later PYTHONPATH='${stub}' exec '${plain}' -m serq_lsp "$@"`),
  pythonOnly: path.dirname(script('interpreter', 'python3', `exec '${plain}' "$@"`)),
};
const system = '/usr/bin:/bin';
const withStub = { PATH: `${path.dirname(made.program)}:${system}`, SERQ_TEST_FIXTURES: JSON.stringify(made) };
const withPython = { PATH: `${made.pythonOnly}:/bin/nowhere`, SERQ_TEST_FIXTURES: JSON.stringify(made) };
const withNothing = { PATH: '/nowhere', SERQ_TEST_FIXTURES: JSON.stringify(made) };

function vsix() {
  const file = path.join(temporary, 'serq.vsix');
  const built = path.join(extension, 'serq-test.vsix');
  if (options['skip-package'] && fs.existsSync(built)) return built;
  execFileSync(process.execPath, ['scripts/package.mjs', '--python', python, '--out', file], { cwd: extension, stdio: ['ignore', 'ignore', 'inherit'] });
  fs.copyFileSync(file, built);
  return file;
}

/** Runs a CommonJS file inside the extension host. */
async function hostTests(name, { workspace, env, trusted = true }) {
  let done;
  const exit = new Promise(resolve => { done = resolve; });
  const lines = [];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const wb = await startWorkbench({
    vsix: [packaged], workspace: path.join(here, 'fixtures', workspace), env, trusted,
    serverArgs: ['--enable-smoke-test-driver'],
    payload: [['extensionDevelopmentPath', '{extension}'], ['extensionTestsPath', path.join(here, 'host', `${name}.js`)]],
    onPage: async page => {
      await page.exposeFunction('codeAutomationLog', (kind, args) => {
        const line = args.map(arg => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' ');
        lines.push(`${kind}: ${line}`);
        if (line.startsWith('[test]')) console.log(`  ${line.slice(7)}`);
        if (line.startsWith('[test] ok')) counts.passed++;
        if (line.startsWith('[test] FAILED')) counts.failed++;
        if (line.startsWith('[test] SKIPPED')) counts.skipped++;
      });
      await page.exposeFunction('codeAutomationExit', code => done(code));
    },
  });
  const code = await Promise.race([exit, new Promise(resolve => setTimeout(() => resolve('time-out'), 240000))]);
  await wb.close();
  if (code !== 0 && counts.failed === 0) {
    counts.failed++;
    console.log(lines.slice(-30).join('\n'), `\n  the extension host ended with ${code}`);
  }
  return counts;
}

const packaged = vsix();
const context = { packaged, here, root, out, made, withPython, withNothing, startWorkbench };
const suites = {
  trusted: () => hostTests('trusted', { workspace: 'workspace', env: withStub }),
  untrusted: () => hostTests('untrusted', { workspace: 'untrusted', env: withStub, trusted: false }),
  bundled: () => hostTests('bundled', { workspace: 'workspace', env: withPython }),
  failures: () => failureTests(context),
  workbench: () => workbenchTests(context),
};

/** Groups that run only when they are asked for. */
const extras = { pictures: () => takePictures(context) };

/** Runs a group; what it throws counts as a failure. */
async function attempt(name, suite) {
  console.log(`${name}:`);
  const began = Date.now();
  let counts;
  try {
    counts = await suite();
  } catch (error) {
    console.log(`  FAILED ${name}: ${error.stack ?? error}`);
    counts = { passed: 0, failed: 1 };
  }
  console.log(`  (${Math.round((Date.now() - began) / 1000)} s)`);
  return counts;
}

let [passed, failed, skipped] = [0, 0, 0];
for (const [name, suite] of Object.entries({ ...suites, ...extras })) {
  if (options.only.length > 0 ? !options.only.includes(name) : name in extras) continue;
  let counts = await attempt(name, suite);
  if (counts.failed > 0 && options.again) {
    console.log(`${name}: ${counts.failed} failed; once more, in a fresh workbench`);
    counts = await attempt(name, suite);
  }
  passed += counts.passed;
  failed += counts.failed;
  skipped += counts.skipped ?? 0;
}
if (options.out === undefined) fs.rmSync(temporary, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exit(failed === 0 ? 0 : 1);
