import * as assert from 'uvu/assert';
import { isError, linesOf, plainLine, untimed } from '../../../http/dashboard/components/log/text.ts';
import { capital } from '../../../http/dashboard/model/capital.ts';
import { grouped, plural, short } from '../../../http/dashboard/model/plural.ts';
import { lookOf, subtitleOf } from '../../../http/dashboard/model/state.ts';
import {
  ago,
  clockTime,
  dayMinute,
  exactSpan,
  fieldMs,
  fieldTime,
  span,
  until,
  zonedTime,
  zoneWord,
} from '../../../http/dashboard/model/time.ts';
import { zone } from '../../../http/dashboard/store/zone.ts';
import { suite } from '../../support/suite.ts';

const words = suite('texts of the dashboard');

words('a sentence is capitalised unless it begins with a host, field or path', () => {
  assert.is(capital('service is starting'), 'Service is starting');
  assert.is(capital('ready. e.g. now'), 'Ready. e.g. now');
  assert.is(capital('core.example.org does not resolve'), 'core.example.org does not resolve');
  assert.is(capital('spec.acmeEmail is not set'), 'spec.acmeEmail is not set');
  assert.is(capital('demo/hello was not found'), 'demo/hello was not found');
  assert.is(capital('databaseName postgres is taken'), 'databaseName postgres is taken');
  assert.is(capital(''), '');
});

words('a duration shows its largest unit, and an exact one its two largest', () => {
  const seconds = [0, 12.9, 60, 200, 3600, 7500, 86_400, 187_200];
  assert.equal(
    seconds.map((count) => span(count * 1000)),
    ['0 s', '12 s', '1 min', '3 min', '1 h', '2 h', '1 d', '2 d'],
  );
  assert.equal(
    seconds.map((count) => exactSpan(count * 1000)),
    ['0 s', '12 s', '1 min', '3 min 20 s', '1 h', '2 h 5 min', '1 d', '2 d 4 h'],
  );
  assert.is(span(-5000), '0 s');
  assert.is(ago(200_000), '3 min ago');
});

words('an exact time names its zone', () => {
  assert.match(zonedTime(Date.parse('2026-01-01T12:00:00Z')), /^2026-01-01 \d\d:\d\d:00 UTC([+-]\d+(:\d\d)?)?$/);
});

words('times are shown and parsed in the chosen zone', () => {
  const at = Date.parse('2026-01-01T23:04:05Z');
  const before = zone.peek();
  zone.value = 'utc';
  assert.equal(
    [fieldTime(at), clockTime(at), dayMinute(at), zoneWord(at), zonedTime(at)],
    ['2026-01-01T23:04:05', '23:04:05', '2026-01-01 23:04', 'UTC', '2026-01-01 23:04:05 UTC'],
  );
  for (const chosen of ['utc', 'local'] as const) {
    zone.value = chosen;
    assert.is(fieldMs(fieldTime(at)), at, chosen);
  }
  const local = new Date(at);
  assert.is(clockTime(at).slice(0, 2), String(local.getHours()).padStart(2, '0'));
  assert.is(fieldTime(Number.NaN), '');
  zone.value = before;
});

words('a log line omits its own time when close to the recorded one', () => {
  const writtenAt = '2026-11-27T21:47:41.589Z';
  for (const own of [
    '2026-11-27T21:47:41Z',
    '2026/11/27 21:47:40',
    '[2026-11-27T23:47:41.123+02:00]',
    '2026-11-27 21:47:43,5',
  ])
    assert.is(untimed(`${own} Started`, writtenAt), 'Started', own);
  for (const line of ['2026-11-27T21:40:00Z Started', 'Started', '2026-11-27', '12:00:00 Started', ''])
    assert.is(untimed(line, writtenAt), line);
});

words('a countdown rounds up to the next second and shows when it is late', () => {
  assert.equal([32_400_000, 200_000, 12_000, 11_001, 400, 0, -2900, -8000].map(until), [
    'in 9 h',
    'in 3 min 20 s',
    'in 12 s',
    'in 12 s',
    'in 1 s',
    'now',
    'now',
    'now, 8 s late',
  ]);
});

words('numbers are grouped, nouns pluralised and hashes shortened', () => {
  assert.equal([0, 999, 1000, 1_234_567].map(grouped), ['0', '999', '1,000', '1,234,567']);
  assert.is(plural(1, 'build'), '1 build');
  assert.is(plural(5000, 'build'), '5,000 builds');
  assert.is(short('sha256:0123456789abcdef'), '0123456789ab');
});

words('a state has a constant look, states of the same word have subtitles, and an unknown one a question mark', () => {
  assert.equal(lookOf('Failed'), lookOf('FailedBeforeJob'));
  assert.equal(lookOf('Pending'), lookOf('pending'));
  assert.is.not(subtitleOf('FailedBeforeJob'), subtitleOf('Failed'));
  assert.equal(lookOf('Paused?'), { tone: 'unknown', sign: 'question' });
});

words('a log line loses colours, titles and cursor codes and keeps the last rewrite', () => {
  assert.is(plainLine('\u001b[1;31merror\u001b[0m: x'), 'error: x');
  assert.is(plainLine('\u001b]0;title\u0007text\u001b[2K\tend\u0000'), 'text\tend');
  assert.is(plainLine('10 %\r50 %\r100 %\r'), '100 %');
  assert.equal(linesOf('a\n\nb\n'), ['a', '', 'b']);
  assert.equal(linesOf(''), []);
});

words('an error line is recognised, and a line that reports none is not', () => {
  assert.ok(['error: no module', 'npm ERR! fatal', 'Build FAILED', 'TypeError: Cannot read'].every(isError));
  assert.not(['0 errors, 0 failures', 'compiled without errors', 'terror of the mirror'].some(isError));
});

words.run();
