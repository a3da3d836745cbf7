// Bundles the extension (CommonJS for the extension host) and the panel (one script and one style sheet for the webview).
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const common = { bundle: true, minify: !watch, sourcemap: watch, logLevel: 'info', legalComments: 'linked', outdir: 'dist' };

const targets = [
  { ...common, entryPoints: { extension: 'src/extension.ts' }, platform: 'node', format: 'cjs', target: 'node18', external: ['vscode'], conditions: ['node'] },
  { ...common, entryPoints: { panel: 'webview/main.ts' }, platform: 'browser', format: 'iife', target: 'es2022' },
];

for (const target of targets) {
  if (watch) await (await context(target)).watch();
  else await build(target);
}
