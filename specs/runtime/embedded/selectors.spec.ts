import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { listAt, textAt } from '../../../runtime/embedded/api/json.ts';
import { suite } from '../../support/suite.ts';
import { type Started, configMap, inSystem, started } from './started.ts';

/** One condition, as it is written and as it is meant. */
interface Condition {
  readonly text: string;
  readonly means: (thing: Thing) => boolean;
}

interface Thing {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const spec = suite<{ api: Started }>('selectors');
spec.before(async (context) => {
  context.api = await started();
});
spec.after(({ api }) => api.end());

const key = fc.constantFrom('a', 'b', 'x.io/c', 'A-1_b');
const value = fc
  .constantFrom('', '0', '7', '10', 'x', 'x-y', 'X.z', '-0', '007')
  .filter((text) => !text.startsWith('-'));
const name = fc.constantFrom('m0', 'm1', 'm2', 'm3', 'none');
const space = fc.constantFrom('', ' ', '  ');
const values = fc.array(value, { minLength: 1, maxLength: 3 });
const has = (thing: Thing, label: string) => Object.hasOwn(thing.labels, label);
/** Labels are compared as integers only where they are such. */
const integer = (text: string | undefined) =>
  text !== undefined && /^[-+]?\d+$/.test(text) ? Number(text) : Number.NaN;

const labelCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(key, fc.constantFrom('=', '=='), value, space).map(([label, sign, wanted, gap]) => ({
    text: `${label}${gap}${sign}${gap}${wanted}`,
    means: (thing: Thing) => has(thing, label) && thing.labels[label] === wanted,
  })),
  fc.tuple(key, value, space).map(([label, wanted, gap]) => ({
    text: `${label}${gap}!=${wanted}`,
    means: (thing: Thing) => !has(thing, label) || thing.labels[label] !== wanted,
  })),
  fc.tuple(key, values, space).map(([label, wanted, gap]) => ({
    text: `${label} in${gap}(${wanted.join(`${gap},${gap}`)})`,
    means: (thing: Thing) => has(thing, label) && wanted.some((one) => thing.labels[label] === one),
  })),
  fc.tuple(key, values).map(([label, wanted]) => ({
    text: `${label} notin (${wanted.join(',')})`,
    means: (thing: Thing) => !has(thing, label) || !wanted.some((one) => thing.labels[label] === one),
  })),
  key.map((label) => ({ text: label, means: (thing: Thing) => has(thing, label) })),
  fc.tuple(key, space).map(([label, gap]) => ({
    text: `!${gap}${label}`,
    means: (thing: Thing) => !has(thing, label),
  })),
  fc.tuple(key, fc.constantFrom('0', '7', '9', '10')).map(([label, limit]) => ({
    text: `${label} > ${limit}`,
    means: (thing: Thing) => integer(thing.labels[label]) > Number(limit),
  })),
  fc.tuple(key, fc.constantFrom('0', '7', '9', '10')).map(([label, limit]) => ({
    text: `${label} < ${limit}`,
    means: (thing: Thing) => integer(thing.labels[label]) < Number(limit),
  })),
);

const fieldCondition: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(name, fc.constantFrom('=', '==')).map(([wanted, sign]) => ({
    text: `metadata.name${sign}${wanted}`,
    means: (thing: Thing) => thing.name === wanted,
  })),
  name.map((wanted) => ({ text: `metadata.name!=${wanted}`, means: (thing: Thing) => thing.name !== wanted })),
  fc.constantFrom('core-system', 'default').map((wanted) => ({
    text: `metadata.namespace=${wanted}`,
    means: () => wanted === 'core-system',
  })),
);

const path = `${inSystem}/secrets`;
const things = fc.array(fc.dictionary(key, value, { maxKeys: 4 }), { minLength: 4, maxLength: 4 });
const asked = fc.record({
  labels: fc.array(labelCondition, { maxLength: 3 }),
  fields: fc.array(fieldCondition, { maxLength: 2 }),
});

spec('lists and watches select exactly the objects that match the conditions', async ({ api }) => {
  let matched = 0;
  await fc.assert(
    fc.asyncProperty(things, fc.array(asked, { minLength: 6, maxLength: 12 }), async (labels, questions) => {
      await api.send('DELETE', path);
      const all: readonly Thing[] = labels.map((given, index) => ({ name: `m${index}`, labels: { ...given } }));
      for (const thing of all) {
        const made = { ...configMap(thing.name, {}, { labels: thing.labels }), kind: 'Secret' };
        assert.is((await api.send('POST', path, { body: made })).code, 201, JSON.stringify(thing));
      }
      for (const question of questions) {
        const conditions = [...question.labels, ...question.fields];
        const wanted = all.filter((thing) => conditions.every(({ means }) => means(thing))).map((thing) => thing.name);
        const query = new URLSearchParams({
          labelSelector: question.labels.map(({ text }) => text).join(','),
          fieldSelector: question.fields.map(({ text }) => text).join(','),
        });
        const { body } = await api.send('GET', `${path}?${query.toString()}`);
        const found = listAt(body, 'items').map((item) => textAt(item, 'metadata', 'name'));
        assert.equal(found, wanted, `${query.toString()} among ${JSON.stringify(all)}`);
        matched += wanted.length;
        if (wanted.length === 0) continue;
        const watch = await api.watch(`${path}?watch=true&${query.toString()}`);
        const told = (await watch.next(wanted.length)).map((event) => textAt(event, 'object', 'metadata', 'name'));
        watch.stop();
        assert.equal(told, wanted, query.toString());
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
  assert.ok(matched > 50, `only ${matched} objects were selected at all`);
});

spec.run();
