import { aPlain, aThing, plains, things } from '../kinds.ts';
import { get, partial, post, put, type Scene, table } from '../scene.ts';

const one = `${things}/one`;

/** What a new object gets, and how it is refused. */
export const creating: readonly Scene[] = [
  {
    title: 'a new object is filled in, pruned and told of',
    steps: [
      post(
        things,
        aThing('one', { parts: [{ name: 'a' }, { name: 'b', depth: {} }], maybe: null, filled: null, color: null }),
      ),
      get(one),
      post(things, aThing('two', { nested: null, unknown: 1, nest: { a: 1 }, parts: [{ name: 'a', more: true }] })),
      post(things, { ...aThing('three'), extra: 1, status: { phase: 'Done' } }),
      post(things, aThing('four', { open: { a: { b: [1] } }, labels: { x: 'y' } })),
    ],
  },
  {
    title: 'unknown fields are warned of, refused or ignored',
    steps: [
      post(`${things}?fieldValidation=Strict`, aThing('one', { unknown: 1 })),
      post(
        `${things}?fieldValidation=Strict`,
        aThing('one', { unknown: 1, parts: [{ name: 'a', more: true }], nested: { x: 1 } }),
      ),
      post(`${things}?fieldValidation=Warn`, aThing('one', { unknown: 1, open: { x: 1 } })),
      post(`${things}?fieldValidation=Ignore`, aThing('two', { unknown: 1 })),
      post(`${things}?fieldValidation=Wrong`, aThing('three')),
      post(`${things}?fieldValidation=Strict`, aThing('three', {}, { unknown: 1 })),
      post(`${things}?fieldValidation=Strict`, { ...aThing('three'), more: 1 }),
      post(
        `${things}?fieldValidation=Strict`,
        '{"apiVersion":"conformance.example.com/v1","kind":"Thing","metadata":{"name":"three"},"spec":{"size":1,"size":2}}',
      ),
      post(
        things,
        '{"apiVersion":"conformance.example.com/v1","kind":"Thing","metadata":{"name":"three"},"spec":{"size":1,"size":2}}',
      ),
      post(
        `${things}?fieldValidation=Strict`,
        'apiVersion: conformance.example.com/v1\nkind: Thing\nmetadata: {name: four}\nspec:\n  size: 1\n  size: 2\n',
        { type: 'application/yaml' },
      ),
    ],
  },
  {
    title: 'a body that cannot be read is refused',
    steps: [
      post(things, '{"not json'),
      post(things, ''),
      post(things, '[]'),
      post(things, '"text"'),
      post(things, {}),
      post(things, { apiVersion: 'conformance.example.com/v1', metadata: { name: 'one' }, spec: { size: 1 } }),
      post(things, { kind: 'Thing', metadata: { name: 'one' }, spec: { size: 1 } }),
      post(things, { ...aThing('one'), kind: 'Other' }),
      post(things, { ...aThing('one'), apiVersion: 'conformance.example.com/v2' }),
      post(things, { ...aThing('one'), apiVersion: 'v1' }),
      post(things, { ...aThing('one'), metadata: 'text' }),
      post(things, { ...aThing('one'), metadata: { name: 5 } }),
      post(things, { ...aThing('one'), metadata: { name: 'one', labels: { a: 1 } } }),
      post(things, { ...aThing('one'), metadata: { name: 'one', labels: 'a' } }),
      post(things, { ...aThing('one'), metadata: { name: 'one', generation: 'x' } }),
      post(things, { ...aThing('one'), metadata: { name: 'one', creationTimestamp: 'x' } }),
      post(things, aThing('one'), { type: 'text/plain' }),
      post(things, 'apiVersion: conformance.example.com/v1\nkind: Thing\nmetadata: {name: one}\nspec: {size: 4}\n', {
        type: 'application/yaml',
      }),
      post(things, aThing('two'), { accept: 'text/html' }),
      post(things, aThing('three'), { accept: 'application/yaml' }),
    ],
  },
  {
    title: 'a name must be one',
    steps: [
      post(things, aThing('Not_A_Name')),
      post(things, aThing('')),
      post(things, { ...aThing('one'), metadata: {} }),
      post(things, { apiVersion: 'conformance.example.com/v1', kind: 'Thing', spec: { size: 1 } }),
      post(things, aThing('a'.repeat(254))),
      post(things, aThing('a..b')),
      post(things, aThing('a/b')),
      post(things, aThing('one', {}, { namespace: 'other' })),
      post(things, aThing('one', {}, { labels: { 'not a key!': 'v' } })),
      post(things, aThing('one', {}, { labels: { key: 'not a value!' } })),
      post(things, aThing('one', {}, { labels: { key: 'a'.repeat(64) } })),
      post(things, aThing('one', {}, { labels: { 'Upper.Case/x': 'a' } })),
      post(things, aThing('one', {}, { labels: { 'a/b/c': 'a' } })),
      post(things, aThing('one', {}, { labels: { '/b': 'a' } })),
      post(things, aThing('one', {}, { labels: { 'x/': 'a' } })),
      post(things, aThing('one', {}, { labels: { ['n'.repeat(64)]: 'a' } })),
      post(things, aThing('one', {}, { annotations: { 'not a key!': 'v' } })),
      post(things, aThing('one', {}, { finalizers: ['not a finalizer!'] })),
      post(things, aThing('one', {}, { finalizers: ['plain'] })),
      post(things, aThing('two', {}, { ownerReferences: [{ apiVersion: 'v1' }] })),
      post(things, aThing('two', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Event', name: 'a', uid: 'b' }] })),
      post(
        things,
        aThing(
          'two',
          {},
          {
            ownerReferences: ['a', 'b'].map((name) => ({
              apiVersion: 'v1',
              kind: 'Pod',
              name,
              uid: name,
              controller: true,
            })),
          },
        ),
      ),
      post(things, aThing('Both_', { size: 0 }, { labels: { key: 'not a value!' } })),
    ],
  },
  {
    title: 'a name is made up',
    steps: [
      post(things, aThing('', {}, { generateName: 'made-' })),
      post(things, aThing('', {}, { generateName: 'Bad_' })),
      post(things, aThing('named', {}, { generateName: 'made-' })),
      post(`${things}?dryRun=All`, aThing('', {}, { generateName: 'dry-' })),
    ],
  },
  {
    title: 'what stands there already is not created again',
    steps: [
      post(things, aThing('one')),
      post(things, aThing('one')),
      post(`${things}?dryRun=All`, aThing('one')),
      post(things, aThing('one', { size: 0 })),
      post(`${things}?dryRun=All`, aThing('two')),
      post(`${things}?dryRun=Some`, aThing('two')),
      post(`${things}?dryRun=All&dryRun=All`, aThing('two')),
      get(`${things}/two`),
      post(things, aThing('three', {}, { resourceVersion: '5' })),
      post(
        things,
        aThing(
          'three',
          {},
          {
            uid: 'mine',
            generation: 4,
            deletionTimestamp: '2020-01-01T00:00:00Z',
            selfLink: 'x',
            deletionGracePeriodSeconds: 4,
          },
        ),
      ),
    ],
  },
  {
    title: 'a new object is shown as it is asked for',
    steps: [
      post(things, aThing('one'), { accept: table }),
      post(things, aThing('two'), { accept: partial }),
      post(`${things}?pretty=true`, aThing('three')),
      post(plains, aPlain('one', { anything: { goes: [1, null, 'x'] }, status: { x: 1 } })),
      post('/apis/conformance.example.com/v1beta1/plains', {
        ...aPlain('two'),
        apiVersion: 'conformance.example.com/v1beta1',
      }),
      get(`${plains}/two`),
      get('/apis/conformance.example.com/v1beta1/plains/one'),
      get('/apis/conformance.example.com/v1beta1/plains'),
    ],
  },
  {
    title: 'a path that there is not is not found',
    steps: [
      get('/apis/conformance.example.com/v1/nothings'),
      get('/apis/conformance.example.com/v2/things'),
      get('/apis/nowhere.example.com/v1/things'),
      get('/apis/conformance.example.com/v1/namespaces/default/plains'),
      get(`${plains}/one/status`),
      get(`${things}/one/nothing`),
      get(`${things}/one/status/more`),
      post('/apis/conformance.example.com/v1/things', aThing('one')),
      put(things, aThing('one')),
      post(`${things}/one`, aThing('one')),
      get('/apis/conformance.example.com/v1/things/one'),
      { method: 'OPTIONS', path: things },
      { method: 'PATCH', path: things, body: {}, type: 'application/merge-patch+json' },
    ],
  },
];
