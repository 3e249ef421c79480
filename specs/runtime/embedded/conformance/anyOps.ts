import * as fc from 'fast-check';
import { kindNames, type Op } from './ops.ts';

const kind = fc.oneof({ weight: 4, arbitrary: fc.constant('build' as const) }, fc.constantFrom(...kindNames));
const name = fc.constantFrom('a', 'b');
const on = fc.record({ kind, name });
const text = fc.constantFrom('p', 'q');

const finalizers = fc.constantFrom<readonly string[]>(
  ['core.platform/held'],
  ['core.platform/held', 'core.platform/more'],
);
const labels = fc.dictionary(fc.constantFrom('t', 'u'), text, { maxKeys: 2 });
const resourceVersion = fc.constantFrom('0', '0', '0', '7');
const meta = fc.record({ labels, finalizers, resourceVersion }, { requiredKeys: [] });

const over = fc.option(
  fc.record(
    {
      uid: fc.constantFrom('its' as const, 'its' as const, 'another' as const),
      version: fc.constantFrom('its' as const, 'its' as const, 'older' as const, 'another' as const),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 3 },
);

/** Null takes away; some of it is more than a kind allows. */
const body = fc.oneof(
  fc.record({ spec: fc.record({ gitCredentialRef: fc.option(fc.record({ name: text })) }) }),
  fc.record({ spec: fc.record({ revision: fc.option(text), cache: fc.boolean() }, { requiredKeys: [] }) }),
  fc.record({ metadata: fc.record({ labels: fc.dictionary(fc.constantFrom('t', 'u'), fc.option(text)) }) }),
  fc.record({ metadata: fc.record({ finalizers: fc.option(fc.oneof(fc.constant([]), finalizers)) }) }),
  fc.record({ metadata: fc.record({ ownerReferences: fc.constantFrom(null, []) }) }),
  fc.constantFrom({ metadata: { name: 'b' } }, { metadata: { namespace: 'default' } }, { kind: 'Pod' }, { kind: null }),
  fc.constantFrom({}, { data: { k: 'dg==' } }, { spec: null }, { status: { phase: 'Failed' } }, { unheardOf: 1 }),
);
const stateOf = fc.record(
  { phase: fc.constantFrom('Pending', 'Running', 'Succeeded', null, 'Nonsense'), message: fc.option(text) },
  { requiredKeys: [] },
);

/** Some of it another kind's. */
const given = fc.constantFrom({}, { data: { k: 'dg==' } }, { data: { l: 'dg==' } }, { status: { phase: 'Failed' } });

const anyOp: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({ on, meta, owners: fc.oneof(fc.constant([]), fc.array(on, { maxLength: 2 })) })
      .map(({ on: { kind, name }, meta, owners }): Op => ({ do: 'create', kind, name, meta, owners })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({
        on,
        over: fc.constantFrom('nothing' as const, 'its' as const, 'another' as const),
        labels,
        body: given,
      })
      .map(({ on, over, labels, body }): Op => ({ do: 'apply', ...on, over, meta: { labels }, body })),
  },
  { weight: 2, arbitrary: on.map((which): Op => ({ do: 'get', ...which })) },
  {
    weight: 2,
    arbitrary: fc
      .record({ kind, where: fc.option(fc.constantFrom('t=p', 't!=p', 'u', '!t'), { nil: undefined }) })
      .map(({ kind, where }): Op => ({ do: 'list', kind, limit: 2, ...(where === undefined ? {} : { where }) })),
  },
  {
    weight: 6,
    arbitrary: fc
      .record({ on, body, over })
      .map(({ on, body, over }): Op => ({ do: 'patch', ...on, body, ...(over && { over }) })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ on, body: stateOf, over })
      .map(({ on, body, over }): Op => ({ do: 'status', ...on, body, ...(over && { over }) })),
  },
  {
    weight: 4,
    arbitrary: fc.record({ on, over }).map(({ on, over }): Op => ({ do: 'remove', ...on, ...(over && { over }) })),
  },
);

/** Sequences of calls on few objects, so that they meet. */
export const anyOps = fc.array(anyOp, { minLength: 6, maxLength: 30, size: 'max' });
