// node scripts/package.mjs [--python PYTHON] [--no-server] [--out FILE]
// Builds the bundle, vendors the server and packages a .vsix. No network is used: the server's packages are copied from
// the Python environment (--python, SERQ_PYTHON, or ../../.venv) that has the project and its dependencies installed.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const LIMIT_MIB = 5;
const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const root = path.resolve(here, '../..');
const { values: options } = parseArgs({ options: { python: { type: 'string' }, 'no-server': { type: 'boolean', default: false }, out: { type: 'string' } } });

function findPython() {
  const candidates = [options.python, process.env.SERQ_PYTHON, path.join(root, '.venv/bin/python'), 'python3', 'python'];
  return candidates.find(candidate => {
    if (!candidate) return false;
    try {
      execFileSync(candidate, ['-c', 'import sys; sys.exit(sys.version_info < (3, 11))'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

function run(command, args) {
  execFileSync(command, args, { cwd: here, stdio: 'inherit' });
}

/** The licence texts of what the bundle contains: the packages of `dependencies` and what these need. */
function notices() {
  const texts = [];
  const waiting = Object.keys(manifest.dependencies);
  const seen = new Set();
  for (let name; (name = waiting.pop());) {
    if (seen.has(name)) continue;
    seen.add(name);
    const folder = path.join(here, 'node_modules', name);
    const { version, license, dependencies } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    waiting.push(...Object.keys(dependencies ?? {}));
    const file = fs.readdirSync(folder).find(each => /^licen[cs]e/i.test(each));
    texts.push(`## ${name} ${version} (${license})\n\n${file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : ''}\n`);
  }
  const server = options['no-server'] ? '' : 'The Python packages of the bundled server carry their licences in `server/libs/*.dist-info`; `server/PACKAGES` lists them.\n\n';
  return `# Third-party notices\n\n${server}${texts.sort().join('\n')}`;
}

const manifest = JSON.parse(fs.readFileSync(path.join(here, 'package.json'), 'utf8'));
const out = path.resolve(options.out ?? path.join(here, `${manifest.name}-${manifest.version}.vsix`));
const server = path.join(here, 'server');

fs.rmSync(path.join(here, 'dist'), { recursive: true, force: true });
fs.rmSync(server, { recursive: true, force: true });
run(process.execPath, ['esbuild.mjs']);
fs.copyFileSync(path.join(root, 'LICENSE'), path.join(here, 'LICENSE'));
if (!options['no-server']) {
  const python = findPython();
  if (!python) throw new Error('no Python 3.11 or later: name one with --python');
  run(python, ['scripts/vendor_server.py', '--root', root, '--out', server]);
}
fs.writeFileSync(path.join(here, 'THIRD-PARTY-NOTICES.md'), notices());
run(process.execPath, [path.join(here, 'node_modules/@vscode/vsce/vsce'), 'package', '--no-dependencies', '--allow-missing-repository', '--out', out]);

const size = fs.statSync(out).size / 2 ** 20;
console.log(`${out}: ${size.toFixed(2)} MiB`);
if (size > LIMIT_MIB) throw new Error(`the package is larger than ${LIMIT_MIB} MiB`);
