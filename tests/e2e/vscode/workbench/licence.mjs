// Whether an engine's iterations are taken together, as the editor shows it: hint, hover, and the fix that makes it so.
import assert from 'node:assert/strict';
import { applyFix } from './mistakes.mjs';
import { hovered, leave, newProgram, until } from './helpers.mjs';

const PROGRAM = 'pool kv { cap 400; }\nstage engine : step {\n  cost 0.01 + ~exp(0.01);\n  memory kv;\n}\n' +
  'workload { arrive poisson(1); turn { set o = ceil(~exp(40)); } session { turn; request; end; } }\n' +
  'server { hold kv (o) { run engine decode (o); } observe length = o; }\nrun { horizon 300; warmup 10; seed 3; }\n';

export async function licence(wb, test, picture) {
  const label = async expected => (await wb.hints()).some(hint => expected.test(hint.label));
  await test('an engine that takes iterations one at a time says why, and the fix changes that', async () => {
    try {
      await newProgram(wb, PROGRAM);
      await until('the reason', () => label(/one at a time: draws a random number/));
      assert.match(await hovered(wb, 'engine', /One iteration at a time/), /the cost draws a random number \(line 3\)/);
      await picture('licence-refused');
      await wb.page.mouse.move(5, 5);
      const { line, col } = await wb.page.evaluate(() => globalThis.vsh.locate('~exp(0.01)', 0));
      await applyFix(wb, { line, col }, { fix: /use the mean/i, mark: 'licence' }, picture);
      await until('the mean', async () => (await wb.text()).join('\n').includes('cost 0.01 + 0.01;'), 10000);
      await until('how many at once', () => label(/coalesced.*×/));
      assert.match(await hovered(wb, 'engine', /Coalesced/), /Coalesced/);
      await picture('licence-granted');
    } finally {
      await wb.page.mouse.move(5, 5);
      await leave(wb);
    }
  });
}
