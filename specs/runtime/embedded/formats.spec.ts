import * as assert from 'uvu/assert';
import { hasFormat } from '../../../runtime/embedded/api/schema/format.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('formats of days and times');

const two = (value: number) => String(value).padStart(2, '0');
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** The same by the calendar of the runtime itself. */
function isInCalendar(day: string): boolean {
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

spec('a date or a time is valid only when its day exists in the calendar', () => {
  for (const year of ['0000', '0100', '1900', '2000', '2023', '2024', '2100', '9999'])
    for (const month of numbers(14))
      for (const date of numbers(33)) {
        const day = `${year}-${two(month)}-${two(date)}`;
        assert.is(hasFormat('date', day), isInCalendar(day), day);
        assert.is(hasFormat('date-time', `${day}T10:20:30Z`), isInCalendar(day), day);
      }
});

spec('texts in other forms are neither a date nor a time', () => {
  for (const text of ['', '2024-2-3', '2024-02-03 ', '02024-02-03', '2024-02-03\n', '2024-02-03T10:20:30Z'])
    assert.not(hasFormat('date', text), text);
  for (const text of [
    '2024-02-03',
    '2024-02-03T10:20Z',
    '2024-02-03T25:00:00Z',
    '2024-02-03T10:20:30',
    '2024-02-30T10:20:30Z',
  ])
    assert.not(hasFormat('date-time', text), text);
  for (const text of ['2024-02-29T10:20:30Z', '2024-02-29t10:20:30.123z', '2024-02-29T24:00:00+02:00'])
    assert.ok(hasFormat('date-time', text), text);
});

spec('a time is parsed once, without creating a Date', () => {
  const { Date: original } = globalThis;
  const [made, parsed]: [number[], string[]] = [[], []];
  const watched = new Proxy(original, {
    construct(target, given: ConstructorParameters<typeof Date>) {
      made.push(given.length);
      return new target(...given);
    },
    get: (target, name) =>
      name === 'parse' ? (text: string) => (parsed.push(text), target.parse(text)) : Reflect.get(target, name),
  });
  try {
    globalThis.Date = watched;
    assert.ok(hasFormat('date-time', '2024-02-29T10:20:30Z'));
  } finally {
    globalThis.Date = original;
  }
  assert.equal([made, parsed], [[], ['2024-02-29T10:20:30Z']]);
});

spec.run();
