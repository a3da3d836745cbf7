import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csv, member, seriesCsv } from '../webview/exports';
import { count, number, percent, signed, ticks, withInterval } from '../webview/format';
import { join } from '../webview/series';

const cases = (name: string, list: [unknown, unknown][]): void => void test(name, () => {
  for (const [actual, expected] of list) assert.equal(actual, expected);
});

cases('numbers keep the digits that matter', [
  [number(0), '0'], [number(3), '3'], [number(3.14159), '3.142'], [number(0.00123456), '0.001235'], [number(123456), '123456'],
  [number(1.5e9), '1.50e9'], [number(2e-7), '2.00e-7'], [number(null), '–'], [number(NaN), '–'], [number(-2.5), '-2.5'], [number(100, 3), '100'],
]);

cases('a mean is cut where its half-width has its second digit', [
  [withInterval(2.512345, 0.123), '2.51 ± 0.12'], [withInterval(2512.345, 12.3), '2512 ± 12'], [withInterval(0.0012345, 0.00001), '0.001234 ± 0.000010'],
  [withInterval(5, null), '5'], [withInterval(null, 1), '–'], [withInterval(7, 0), '7 ± 0'],
]);

cases('fractions, counts and differences', [
  [percent(0.5), '50 %'], [percent(0.0123), '1.2 %'], [percent(null), '–'], [percent(0.0997), '10 %'],
  [count(9999), '9999'], [count(12345), '12\u2009345'], [signed(0.42), '+0.42'], [signed(-0.42), '−0.42'], [signed(null), '–'],
]);

test('ticks are round, inside, and not too many', () => {
  assert.deepEqual(ticks(0, 100, 5), [0, 20, 40, 60, 80, 100]);
  assert.deepEqual(ticks(0.31, 0.78, 4), [0.4, 0.6]);
  assert.deepEqual(ticks(5, 5, 4), [5]);
  for (const [from, to, most] of [[0, 1, 7], [3, 1000, 11], [-5, 5, 3], [1e-9, 2e-9, 4]] as const) {
    const marks = ticks(from, to, most);
    assert.ok(marks.length <= most + 1 && marks.every(mark => mark >= from && mark <= to), `${from} ${to}`);
  }
});

test('series on one axis: steps hold, lines have gaps', () => {
  const a = { t: [0, 2], v: [1, 3], step: true };
  const b = { t: [1, 2], v: [10, null], step: false };
  assert.deepEqual(join([a, b]), [[0, 1, 2], [1, 1, 3], [null, 10, null]]);
});

test('CSV quotes what it must', () => {
  assert.equal(csv([['a', 'b,c', 'd"e', null, 1.5]]), 'a,"b,c","d""e",,1.5\n');
  assert.equal(seriesCsv({ used: { t: [0, 1], v: [2, null], step: true } }), 'series,time,value\nused,0,2\nused,1,\n');
  assert.equal(member({ name: 'kv', index: 2 }), 'kv[2]');
});
