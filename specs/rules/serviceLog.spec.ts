import * as assert from 'uvu/assert';
import { isShownAt } from '../../rules/serviceLog/levels.ts';
import {
  isAfter,
  lineId,
  linePlace,
  placed,
  type Reached,
  shownLevel,
  stampedLine,
  unreadAfter,
} from '../../rules/serviceLog/line.ts';
import { sinceSeconds } from '../../rules/serviceLog/since.ts';
import { suite } from '../support/suite.ts';

const spec = suite('lines of the logs of services');

spec('a log filter shows its level and more severe ones', () => {
  assert.ok(isShownAt('error', 'warn'));
  assert.ok(isShownAt('warn', 'warn'));
  assert.not.ok(isShownAt('info', 'warn'));
  assert.is(shownLevel('ERROR: Broke', { q: 'broke', level: 'warn' }), 'error');
  assert.is(shownLevel('ERROR: broke', { q: 'whole', level: undefined }), null);
  assert.is(shownLevel('fine', { q: '', level: 'warn' }), null);
});

spec('a duration is parsed as by Go, up to a week', () => {
  const right: Readonly<Record<string, number>> = {
    '48h': 172_800,
    '1h30m': 5_400,
    '168h': 604_800,
    '1.5h': 5_400,
    '.5m': 30,
    '10ms': 1,
    '90s': 90,
    '1m1µs': 61,
  };
  for (const [text, seconds] of Object.entries(right)) assert.is(sinceSeconds(text), seconds, text);
  for (const text of ['2d', '169h', '168h1s', '0', '0s', '-1h', '+1h', '1', 'h', '1h 1m', '1H', '', '1e3s'])
    assert.is(sinceSeconds(text), null, text);
});

const stampedAs = (text: string) => {
  const line = stampedLine(text);
  if (line === null) throw new Error(`no time: ${text}`);
  return line;
};

spec('a log line is parsed with nanoseconds in any time zone', () => {
  const line = { at: Date.parse('2026-01-01T00:00:00.123Z'), nanos: 456_789, text: 'a b' };
  assert.equal(stampedLine('2026-01-01T00:00:00.123456789Z a b'), line);
  assert.equal(stampedLine('2026-01-01T02:00:00.123456789+02:00 a b'), line);
  assert.equal(stampedLine('2026-01-01T00:00:00Z '), { at: Date.parse('2026-01-01T00:00:00Z'), nanos: 0, text: '' });
  for (const text of ['', 'a b', '2026-01-01T00:0', '2026-99-01T00:00:00Z x']) assert.is(stampedLine(text), null, text);
});

spec('reading continues after the last line read, without gaps or repetition', () => {
  const texts = ['00.5Z a', '01.1Z b', '01.1Z b', '01.1Z c', '01.2Z d'];
  const lines = texts.map((text) => stampedAs(`2026-01-01T00:00:${text}`));
  for (let read = 0; read <= lines.length; read += 1) {
    const reached = lines.slice(0, read).reduce<Reached | null>((before, line) => placed(line, before), null);
    const isUnread = unreadAfter(reached);
    // Kubernetes begins again at the whole second, here that of the first line.
    assert.equal(lines.filter(isUnread), lines.slice(read), `${read} were read`);
  }
});

spec('lines of one millisecond are numbered, and an id identifies its line', () => {
  const [a, b, c] = ['00.001Z a', '00.001000001Z b', '00.002Z c'].map((text) => stampedAs(`2026-01-01T00:00:${text}`));
  const all = [a, b, c].reduce<readonly Reached[]>(
    (before, line) => (line ? [...before, placed(line, before.at(-1) ?? null)] : before),
    [],
  );
  assert.equal(
    all.map(({ last }) => last.n),
    [0, 1, 0],
  );
  const place = { at: 5, pod: 'web-1.a', container: 'app', n: 2 };
  assert.is(lineId(place), '5.web-1.a.app.2');
  assert.equal(linePlace('5.web-1.a.app.2'), place);
  for (const id of ['', '5', 'x.web.app.1', '5.web.app.', '5.web.app.-1', '5.a b.app.1'])
    assert.is(linePlace(id), null, id);
  assert.ok(isAfter({ ...place, n: 3 }, place));
  assert.not.ok(isAfter(place, place));
  assert.not.ok(isAfter({ ...place, pod: 'web-2', n: 9 }, place));
  assert.ok(isAfter({ ...place, pod: 'web-2', at: 6, n: 0 }, place));
});

spec.run();
