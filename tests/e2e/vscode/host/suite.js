// A few lines of test runner for the extension host: named steps in order, each with its own failure.
const assert = require('node:assert/strict');
const vscode = require('vscode');

const ID = 'serq-lsp.serq';

class Skip extends Error {}

/** Leaves a step out, loudly, while the server does not offer a command yet. */
function needs(api, ...commands) {
  const missing = commands.filter(command => !api.server.commands.includes(command));
  if (missing.length > 0) throw new Skip(`the server has no ${missing.join(', ')}`);
}

/** Runs the steps one after the other; a failed one does not keep the others from running. */
async function suite(steps) {
  let failed = 0;
  let passed = 0;
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      passed++;
      console.log(`[test] ok ${name}`);
    } catch (error) {
      if (error instanceof Skip) {
        console.log(`[test] SKIPPED ${name}: ${error.message}`);
        continue;
      }
      failed++;
      console.log(`[test] FAILED ${name}: ${error.stack ?? error}`);
    }
  }
  console.log(`[test] ${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Error(`${failed} failed`);
}

/** Waits until a question has a truthy answer, and returns it. */
async function until(what, question, ms = 20000) {
  for (const end = Date.now() + ms; ;) {
    const answer = await question();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

function file(name) {
  return vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, name);
}

async function open(name) {
  const document = await vscode.workspace.openTextDocument(file(name));
  await vscode.window.showTextDocument(document);
  return document;
}

/** The extension's parts, once its server answers. */
async function started() {
  const api = await vscode.extensions.getExtension(ID).activate();
  await until('the server answers', () => api.server.running);
  return api;
}

async function setting(section, name, value) {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}

/** The same text with one statement more, to make a mistake. */
async function edit(document, find, replacement) {
  const at = document.getText().indexOf(find);
  assert.notEqual(at, -1, `${find} is not in ${document.uri.path}`);
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, new vscode.Range(document.positionAt(at), document.positionAt(at + find.length)), replacement);
  assert.ok(await vscode.workspace.applyEdit(change));
}

module.exports = { needs, assert, vscode, ID, suite, until, file, open, started, setting, edit };
