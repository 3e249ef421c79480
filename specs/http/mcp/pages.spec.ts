import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { type Item, type Page, pageOf } from '../../../http/mcp/list/page.ts';
import { resultOf } from '../../../http/mcp/result.ts';
import { tools } from '../../../http/mcp/tools/all.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('pages of a list');
const day = (at: number): string => new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
const sized = (name: string, size: number): Item => ({ name, createdAt: '', text: 'x'.repeat(size) });

/** A list as the API has it: by name, or the newest first. */
const inOrder = (items: readonly Item[], isNewestFirst: boolean): readonly Item[] =>
  items.toSorted((one, other) => {
    const field = isNewestFirst ? 'createdAt' : 'name';
    return (String(one[field]) < String(other[field]) ? -1 : 1) * (isNewestFirst ? -1 : 1);
  });

const namesOf = ({ items }: Page): readonly string[] => items.map((item) => String((item as Item)['name']));
const timeOf = ({ createdAt }: Item): unknown => createdAt;

const world = fc.record({
  ids: fc.uniqueArray(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 }),
  /** What is deleted after each page, and what is made. */
  changes: fc.array(fc.record({ gone: fc.nat(400), made: fc.nat(400) }), { maxLength: 40 }),
  limit: fc.integer({ min: 1, max: 12 }),
  size: fc.constantFrom(10, 10, 10, 9_000, 60_000),
  isNewestFirst: fc.boolean(),
});

spec('following the cursors returns each lasting item once while others change', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ ids, changes, limit, size, isNewestFirst }) => {
      const itemOf = (id: number): Item => ({
        ...sized(`item-${String(id).padStart(3, '0')}`, size),
        createdAt: day(id),
      });
      let items = inOrder(ids.map(itemOf), isNewestFirst);
      const touched = new Set<string>();
      const seen: string[] = [];
      let cursor: string | undefined;
      for (let at = 0; ; at++) {
        const page = await pageOf({
          list: 'items',
          items,
          limit,
          cursor,
          timeOf: isNewestFirst ? timeOf : undefined,
        });
        assert.ok(page.items.length <= limit && (page.items.length === 1 || JSON.stringify(page).length <= 48_000));
        assert.is(page.next === undefined, page.left_out === 0);
        seen.push(...namesOf(page));
        if (page.next === undefined) break;
        cursor = page.next;
        const change = changes[at];
        if (change === undefined) continue;
        const [gone, made] = [itemOf(change.gone), itemOf(change.made)];
        for (const { name } of [gone, made]) touched.add(String(name));
        const left = items.filter(({ name }) => name !== gone['name'] && name !== made['name']);
        items = inOrder([...left, made], isNewestFirst);
      }
      const lasting = (names: readonly string[]) => names.filter((name) => !touched.has(name));
      const all = inOrder(ids.map(itemOf), isNewestFirst).map(({ name }) => String(name));
      assert.equal(lasting(seen), lasting(all));
    }),
    { numRuns: 300 },
  );
});

spec('times with and without fractions of a second are compared correctly', async () => {
  const items = [
    { name: 'c', createdAt: '2026-01-01T00:00:00.700Z' },
    { name: 'b', createdAt: '2026-01-01T00:00:00Z' },
    { name: 'a', createdAt: '2025-12-31T00:00:00Z' },
  ];
  const asked = { list: 'items', limit: 1, timeOf };
  const { next } = await pageOf({ ...asked, items, cursor: undefined });
  const second = await pageOf({ ...asked, items: items.slice(1), cursor: next });
  assert.equal(second.items, [items[1]]);
});

spec('items of one time are all returned when the last one of a page is deleted', async () => {
  const items = ['c', 'b', 'a'].map((name) => ({ name, createdAt: '2026-01-01T00:00:00Z' }));
  const asked = { list: 'items', limit: 2, timeOf };
  const { next } = await pageOf({ ...asked, items, cursor: undefined });
  assert.equal(namesOf(await pageOf({ ...asked, items: items.filter(({ name }) => name !== 'b'), cursor: next })), [
    'c',
    'a',
  ]);
});

spec('an item is left out when it is deleted before its details are read', async () => {
  const items = ['a', 'b', 'c'].map((name) => sized(name, 1));
  const readEach = (page: readonly Item[]) => Promise.resolve(page.map((item) => (item['name'] === 'b' ? null : item)));
  const first = await pageOf({ list: 'items', items, limit: 2, cursor: undefined, readEach });
  assert.equal([namesOf(first), first.left_out], [['a'], 1]);
  assert.equal(namesOf(await pageOf({ list: 'items', items, limit: 2, cursor: first.next, readEach })), ['c']);
});

spec('the size of a page is measured without secrets', async () => {
  const items = ['a', 'b'].map((name) => ({ name, password: 'x'.repeat(40_000) }));
  const page = await pageOf({ list: 'items', items, limit: 2, cursor: undefined });
  assert.equal(page, { items: [{ name: 'a' }, { name: 'b' }], left_out: 0 });
});

spec('a long log keeps its newest lines', () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at} of a log`);
  const { structuredContent } = resultOf({ lines, missing: [] }, { isNewestLast: true });
  const { lines: told, missing } = structuredContent as { readonly lines: readonly string[]; readonly missing: object };
  assert.equal([told, missing], [lines.slice(-told.length), []]);
  assert.ok(told.length > 1_000 && told.length < 5_000);
  assert.equal(
    tools.filter(({ isNewestLast }) => isNewestLast).map(({ name }) => name),
    ['app_logs', 'build_log'],
  );
});

spec.run();
