// Mistakes as a person makes them: typed into a program; the squiggle, what the hover says, and a fix that is applied.
import assert from 'node:assert/strict';
import { goTo, hovered, leave, newProgram, until } from './helpers.mjs';

/**
 * `text` is a good program with the line `HERE`, `types` what is typed in its place, `mark` where the squiggle must be,
 * `severity` its colour, `says` what the hover must name, `fix` the action, `after` what the program must hold then.
 */
const MISTAKES = [
  {
    name: 'a moment violation', mark: 'decoding', severity: 'error', says: [/SQ0301/, /does not exist in the value of/, /exists in/],
    types: '  observe late = decoding;', fix: /delete the statement/i, after: [], gone: [/late/],
    text: 'stage line : fifo;\nworkload { arrive poisson(0.5); }\nsession {\n  set began = now;\n  run line (~exp(1));\nHERE\n  observe response = now - began;\n}\nrun { horizon 1000; warmup 10; seed 1; }\n',
  },
  {
    name: 'a hidden read', mark: 'o', severity: 'error', says: [/SQ0302/, /hidden/, /before it is known/],
    types: '  hold kv (o) { run line (o); }', fix: /let the scheduler read `?o`?/i, after: [/hold kv \(o\)/], gone: [/hidden o/],
    text: 'pool kv { cap 64; }\nstage line : fifo;\nworkload {\n  arrive poisson(0.2);\n  hidden o;\n  init { set o = ceil(~exp(3)); }\n  session { request; observe length = o; end; }\n}\nserver {\nHERE\n}\nrun { horizon 1000; warmup 10; seed 1; }\n',
  },
  {
    name: 'a join inside a hold', mark: 'join', severity: 'warning', says: [/SQ1001/, /waits inside a hold on/, /kv/],
    types: '  hold kv (1) { join; }', fix: /join after the hold/i, after: [/hold kv \(1\) \{ ?\}/, /^ {2}join;/m], gone: [/\{ join; \}/],
    text: 'pool kv { cap 64; }\nstage line : fifo;\nworkload { arrive poisson(0.5); }\nsession {\n  set began = now;\n  fork { run line (1); }\nHERE\n  observe response = now - began;\n}\nrun { horizon 1000; warmup 10; seed 1; }\n',
  },
];

export async function mistakes(wb, test, picture) {
  for (const mistake of MISTAKES) {
    await test(`${mistake.name}: squiggle, hover and quick fix, and the fix applies`, () => makeMistake(wb, mistake, picture));
  }
}

const inText = async wb => (await wb.text()).join('\n');

async function makeMistake(wb, mistake, picture) {
  const { page } = wb;
  const line = mistake.text.split('\n').indexOf('HERE') + 1;
  const found = async () => (await wb.squiggles()).find(({ line: at, text, severity }) => at === line && severity === mistake.severity && text.startsWith(mistake.mark));
  try {
    await newProgram(wb, mistake.text.replace('HERE', ''));
    await goTo(wb, `${line}`);
    await page.keyboard.type(mistake.types, { delay: 15 });
    await page.keyboard.press('Escape'); // what completion offers
    const squiggle = await until('the squiggle', found, 30000);
    const said = await hovered(wb, `${squiggle.line}:${squiggle.col}`, mistake.says[0]);
    for (const part of mistake.says) assert.match(said, part);
    await picture(`mistake-${mistake.mark}`);
    await page.mouse.move(5, 5);
    await applyFix(wb, squiggle, mistake, picture);
    await until('the squiggle is gone', async () => (await found()) === undefined, 15000);
    for (const part of mistake.after) await until(`${part}`, async () => part.test(await inText(wb)), 10000);
    for (const part of mistake.gone) await until(`no ${part}`, async () => !part.test(await inText(wb)), 10000);
    await until('a good program', async () => (await wb.squiggles()).every(({ severity }) => severity === 'hint'), 10000);
  } finally {
    await leave(wb);
  }
}

/** Opens the menu at a place and chooses the fix by its title. */
export async function applyFix(wb, squiggle, mistake, picture) {
  const { page } = wb;
  await goTo(wb, `${squiggle.line}:${squiggle.col}`); // not by a click: hints and lenses move what is on the screen
  const row = page.locator('.action-widget .monaco-list-row.action', { hasText: mistake.fix });
  for (let tries = 0; tries < 3 && await row.count() === 0; tries++) {
    await page.keyboard.press('Control+.');
    await row.first().waitFor({ timeout: 6000 }).catch(() => {});
  }
  const offered = await page.locator('.action-widget .monaco-list-row').allTextContents();
  assert.ok(await row.count() > 0, `not offered; there is: ${offered.join(' | ') || 'nothing'}`);
  await wb.still();
  await picture(`fix-${mistake.mark}`);
  await row.first().click();
}
