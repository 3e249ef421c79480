import * as assert from 'uvu/assert';
import type { KubeObject } from '../../crds/kind.ts';
import { annotation, label } from '../../crds/names.ts';
import { differences, type Path } from '../../rules/owned/differences.ts';
import {
  appliedHash,
  appliedObject,
  type Owner,
  reachable,
  removalPatch,
  withStored,
} from '../../rules/owned/ownedObject.ts';
import { isSameAmount, quantityOf } from '../../rules/owned/quantity.ts';
import { withoutEmpty } from '../../rules/owned/withoutEmpty.ts';
import { suite } from '../support/suite.ts';

const spec = suite('desired and live objects');

const shown = (path: Path) =>
  path.map((step) => (typeof step === 'object' ? `[${JSON.stringify(step.key)}]` : String(step))).join('.');
const between = (wanted: unknown, live: unknown) => differences(wanted, live).map(shown);

spec('equal quantities in different notations are equal', () => {
  for (const [one, other] of [
    ['0.5', '500m'],
    ['1024Mi', '1Gi'],
    ['1e3', '1k'],
    [2, '2000m'],
    ['-0.5', '-500m'],
    ['0', '0Gi'],
    ['.1n', '1n'],
  ])
    assert.ok(isSameAmount(one, other), `${one} and ${other}`);
  for (const [one, other] of [
    ['1G', '1Gi'],
    ['1', '1m'],
    ['x', 'x'],
    ['', ''],
    [null, null],
    ['1e9999', '1e9999'],
  ])
    assert.not.ok(isSameAmount(one, other), `${one} and ${other}`);
  assert.is(quantityOf('1500m'), 1_500_000_000n);
});

spec('unwanted fields may exist beside the wanted ones, and empty values equal absent ones', () => {
  assert.equal(between({ a: { b: 1 } }, { a: { b: 1, c: 2 }, d: 3 }), []);
  assert.equal(between({ a: {}, b: [], c: '', d: null }, {}), []);
  assert.equal(between({ a: { b: 1 } }, {}), ['a']);
  assert.equal(between({ a: { b: 1 } }, { a: { b: 2 } }), ['a.b']);
  assert.equal(between({ a: false, b: 0 }, {}), ['a', 'b']);
});

spec('quantities are compared by value only in fields that hold quantities', () => {
  const resources = (cpu: unknown) => ({ resources: { requests: { cpu } } });
  assert.equal(between(resources('0.5'), resources('500m')), []);
  assert.equal(between(resources(2), resources('2')), []);
  assert.equal(between(resources('0.5'), resources('501m')), ['resources.requests.cpu']);
  assert.equal(between({ emptyDir: { sizeLimit: '1024Mi' } }, { emptyDir: { sizeLimit: '1Gi' } }), []);
  assert.equal(between({ data: { cpu: '0.5' } }, { data: { cpu: '500m' } }), ['data.cpu']);
  assert.equal(between({ value: '1024Mi' }, { value: '1Gi' }), ['value']);
});

spec('lists are compared by the key of their items, or by position when there is none', () => {
  const env = (...names: readonly string[]) => ({ env: names.map((name) => ({ name, value: `of ${name}` })) });
  assert.equal(between(env('a', 'b'), env('b', 'injected', 'a')), []);
  assert.equal(between(env('a', 'b'), env('b')), ['env.[{"name":"a"}]']);
  const ports = (...of: readonly object[]) => ({ spec: { ports: of } });
  assert.equal(
    between(ports({ port: 80 }), ports({ port: 81, protocol: 'TCP' }, { port: 80, protocol: 'TCP', nodePort: 3 })),
    [],
  );
  assert.equal(between(ports({ port: 80, protocol: 'UDP' }), ports({ port: 80, protocol: 'TCP' })), [
    'spec.ports.[{"port":80,"protocol":"UDP"}]',
  ]);
  const ingress = (...of: readonly number[]) => ({ spec: { ingress: [{ ports: of.map((port) => ({ port })) }] } });
  assert.equal(between(ingress(80), ingress(80, 81)), ['spec.ingress.0.ports']);
  assert.equal(between({ args: ['a', 'b'] }, { args: ['b', 'a'] }), ['args.0', 'args.1']);
  assert.equal(between({ args: ['a'] }, { args: 'a' }), ['args']);
});

const owner: Owner = { kind: 'CoreProject', name: 'shop', uid: 'u1', adopts: false };
const object = (more: object = {}, name = 'o'): KubeObject => ({ kind: 'ConfigMap', metadata: { name }, ...more });

spec('an applied object names its owner and carries a hash of its desired fields without the data of a Secret', () => {
  const { metadata } = appliedObject(object({ metadata: { name: 'o', labels: { a: 'b' } } }), owner);
  assert.equal(metadata.labels, {
    a: 'b',
    [label.managedBy]: 'core',
    [label.kind]: 'CoreProject',
    [label.name]: 'shop',
  });
  assert.is(metadata.annotations?.[annotation.ownerUid], 'u1');
  const hash = (one: KubeObject, by = owner) => appliedHash(appliedObject(one, by));
  assert.is(hash(object({ data: { a: '1', b: '2' } })), hash(object({ data: { b: '2', a: '1' } })));
  assert.is.not(hash(object({ data: { a: '1' } })), hash(object({ data: { a: '2' } })));
  assert.is.not(hash(object()), hash(object(), { ...owner, uid: 'u2' }));
  const secret = (data: object) => ({ ...object({ data }), kind: 'Secret' });
  assert.is(hash(secret({ a: '1' })), hash(secret({ b: '2' })));
});

spec('an immutable field is kept or recreates the object, and a growing field only grows', () => {
  const sized = (size: string, name = 'std') => object({ spec: { size, class: name }, status: { phase: 'Bound' } });
  const fixed = [
    { path: ['spec', 'size'], then: 'grow' },
    { path: ['spec', 'class'], then: 'keep' },
  ] as const;
  assert.equal(reachable(sized('2Gi'), sized('1Gi'), fixed), sized('2Gi'));
  assert.equal(reachable(sized('1Gi'), sized('2Gi'), fixed), sized('2Gi'));
  assert.equal(reachable(sized('1Gi', 'fast'), sized('1Gi', 'std'), fixed), sized('1Gi', 'std'));
  const unbound = object({ spec: { size: '1Gi', class: 'std' }, status: { phase: 'Pending' } });
  assert.equal(reachable(sized('2Gi'), unbound, fixed), sized('1Gi'));
  const replaced = [{ path: ['spec', 'class'], then: 'replace' }] as const;
  assert.is(reachable(sized('1Gi', 'fast'), sized('1Gi'), replaced), 'replace');
  assert.equal(reachable(sized('9Gi'), sized('1Gi'), replaced), sized('9Gi'));
  assert.equal(reachable(sized('1Gi'), object(), replaced), sized('1Gi'));
});

/** What comes of a field for each rule, when another change is applied: `-` means that the apply leaves the field out. */
const outcomes: readonly (readonly [wanted: string, stored: string, keep: string, replace: string, grow: string])[] = [
  ['absent', 'absent', '-', '-', '-'],
  ['absent', 'one', 'one', 'one', 'one'],
  ['empty', 'absent', 'empty', 'empty', 'empty'],
  ['empty', 'one', 'one', 'one', 'one'],
  ['one', 'absent', 'one', 'one', 'one'],
  ['one', 'one', 'one', 'one', 'one'],
  ['two', 'one', 'one', 'replace', 'two'],
];

spec('a stored value of a fixed field is never removed, whatever is desired', () => {
  const values: Readonly<Record<string, unknown>> = { empty: {}, one: '1Gi', two: '2Gi' };
  const holding = (name: string) =>
    object({ spec: { other: 1, ...(name === 'absent' ? {} : { field: values[name] }) }, status: { phase: 'Bound' } });
  for (const [wanted, stored, ...expected] of outcomes)
    for (const [at, then] of (['keep', 'replace', 'grow'] as const).entries()) {
      const fixed = [{ path: ['spec', 'field'], then }];
      const reached = reachable(holding(wanted), holding(stored), fixed);
      const sent = reached === 'replace' ? reached : withStored(reached, holding(stored), fixed);
      const outcome = expected[at] ?? '';
      const shows = outcome === 'replace' ? 'replace' : holding(outcome === '-' ? 'absent' : outcome);
      assert.equal(sent, shows, `${then}: ${wanted} wanted, ${stored} stored`);
    }
});

spec('stored keys of a wholly owned map are removed when they are not desired', () => {
  const holding = (data: object | undefined) => object(data === undefined ? {} : { data });
  const removals: readonly (readonly [object | undefined, object | undefined, object | null])[] = [
    [undefined, undefined, null],
    [undefined, { a: '1' }, { data: { a: null } }],
    [{}, undefined, null],
    [{}, { a: '1' }, { data: { a: null } }],
    [{ a: '1' }, undefined, null],
    [{ a: '1' }, { a: '1' }, null],
    [{ a: '2' }, { a: '1' }, null],
    [{ b: '2' }, { a: '1' }, { data: { a: null } }],
  ];
  for (const [wanted, stored, patch] of removals)
    assert.equal(removalPatch(holding(wanted), holding(stored), [['data']]), patch);
});

spec('empty lists and maps are left out at any depth, except items of lists and meaningful ones', () => {
  assert.equal(withoutEmpty({ affinity: { nodeSelector: {}, tolerations: [] }, a: { b: { c: [] } }, d: 1 }), { d: 1 });
  assert.equal(withoutEmpty({ rules: [{}, { ports: [] }], name: '', on: false, none: null, zero: 0 }), {
    rules: [{}, {}],
    name: '',
    on: false,
    none: null,
    zero: 0,
  });
  assert.equal(withoutEmpty({ podSelector: {}, ingress: [] }, ['podSelector']), { podSelector: {} });
});

spec('unwanted keys of a map owned as a whole are removed, and nothing else', () => {
  const data = (given: object) => object({ data: given });
  assert.is(removalPatch(data({ a: '1' }), data({ a: '2' }), [['data']]), null);
  assert.equal(removalPatch(data({ a: '1' }), data({ a: '1', b: '2', c: '3' }), [['data']]), {
    data: { b: null, c: null },
  });
  assert.equal(removalPatch(object(), data({ b: '2' }), [['data']]), { data: { b: null } });
  assert.is(removalPatch(data({ a: '1' }), object(), [['data']]), null);
  assert.is(removalPatch(data({}), data({ b: '2' }), []), null);
});

spec.run();
