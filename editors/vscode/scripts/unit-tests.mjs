// Bundles each test/*.test.ts and runs it with Node's own test runner; nothing of the editor is needed.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const outdir = path.join(here, 'dist/test');
const entryPoints = fs.readdirSync(path.join(here, 'test')).filter(name => name.endsWith('.test.ts')).map(name => path.join(here, 'test', name));
await build({ entryPoints, outdir, bundle: true, platform: 'node', format: 'cjs', target: 'node20', logLevel: 'warning', outExtension: { '.js': '.cjs' } });
const files = fs.readdirSync(outdir).filter(name => name.endsWith('.cjs')).map(name => path.join(outdir, name));
process.exit(spawnSync(process.execPath, ['--test', ...files], { cwd: here, stdio: 'inherit' }).status ?? 1);
