import { aPlain, aThing, plains, things } from '../kinds.ts';
import type { Json } from '../../../../../../runtime/embedded/api/json.ts';
import { applyPatch, get, jsonPatch, mergePatch, patch, post, put, type Scene } from '../scene.ts';

const one = `${things}/one`;
const managers = { managers: true } as const;
const applied = (manager: string, spec: Json, more = '') =>
  patch(`${one}?fieldManager=${manager}${more}`, applyPatch, aThing('one', spec), managers);
const bare = (spec: Json): Json => ({ ...aThing('one'), spec });

/** Who manages which fields, and who may change them. */
export const applying: readonly Scene[] = [
  {
    title: 'writes are recorded by who made them',
    steps: [
      post(
        things,
        aThing(
          'one',
          { tags: ['a'], parts: [{ name: 'p', weight: 2 }], atom: { x: '1' }, open: { a: { b: 1 } } },
          { labels: { l: '1' } },
        ),
        managers,
      ),
      patch(`${one}?fieldManager=m`, mergePatch, { spec: { size: 6 } }, managers),
      patch(`${one}?fieldManager=n`, jsonPatch, [{ op: 'replace', path: '/spec/size', value: 7 }], managers),
      patch(`${one}/status?fieldManager=m`, mergePatch, { status: { phase: 'New' } }, managers),
      patch(`${one}/scale?fieldManager=m`, mergePatch, { spec: { replicas: 4 } }, managers),
      get(one, managers),
      patch(one, mergePatch, { metadata: { managedFields: [{}] } }, managers),
      patch(one, mergePatch, { metadata: { managedFields: [] } }, managers),
      patch(one, mergePatch, { metadata: { managedFields: [{ manager: 'x', operation: 'Wrong' }] } }, managers),
      (told) => put(one, { ...told.at(-2), spec: { size: 8 } }, managers),
      post(`${things}?fieldManager=${'m'.repeat(129)}`, aThing('two')),
      post(`${things}?fieldManager=a%00b`, aThing('two')),
    ],
  },
  {
    title: 'an apply makes and changes what it names',
    steps: [
      applied('a', { tags: ['x', 'y'], parts: [{ name: 'p' }, { name: 'q', weight: 1 }] }),
      applied('a', { tags: ['x', 'y'], parts: [{ name: 'p' }, { name: 'q', weight: 1 }] }),
      applied('a', { tags: ['y'], parts: [{ name: 'q', weight: 2 }] }),
      applied('b', { tags: ['z'], parts: [{ name: 'r' }] }),
      applied('a', {}),
      applied('a', { nested: { word: 'w' } }),
      applied('a', {}),
      get(one, managers),
    ],
  },
  {
    title: 'an apply that takes another one’s field is a conflict',
    steps: [
      applied('a', { color: 'blue' }),
      applied('b', { size: 6 }),
      applied('b', { size: 6, color: 'red' }),
      applied('b', { color: 'blue' }),
      applied('b', { size: 6, color: 'green' }, '&force=true'),
      applied('a', { color: 'blue' }),
      patch(`${one}?fieldManager=u`, mergePatch, { spec: { color: 'red', size: 9 } }, managers),
      applied('a', { size: 5 }),
      post(things, aThing('two', { parts: [{ name: 'p', weight: 3 }], tags: ['x'], atom: { x: '1' } })),
      patch(
        `${things}/two?fieldManager=a`,
        applyPatch,
        aThing('two', { parts: [{ name: 'p', weight: 4 }], atom: { x: '2' } }),
        managers,
      ),
    ],
  },
  {
    title: 'an apply that is none is refused',
    steps: [
      patch(one, applyPatch, aThing('one')),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('two')),
      patch(`${one}?fieldManager=a`, applyPatch, { spec: { size: 1 } }),
      patch(`${one}?fieldManager=a`, applyPatch, { ...aThing('one'), apiVersion: 'v1' }),
      patch(`${one}?fieldManager=a`, applyPatch, { ...aThing('one'), kind: 'Other' }),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', {}, { managedFields: [{ manager: 'a' }] })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', {}, { resourceVersion: '1' })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', {}, { uid: 'x' })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', { unknown: 1 })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', { size: 'x' })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', { size: 0 })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', { tags: ['a', 'a'] })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', { parts: [{ name: 'a' }, { name: 'a' }] })),
      patch(`${one}?fieldManager=a`, applyPatch, aThing('one', { parts: [{ weight: 1 }] })),
      patch(`${one}?fieldManager=a`, applyPatch, ': not yaml: ['),
      patch(`${one}?fieldManager=a&fieldValidation=Strict`, applyPatch, aThing('one', { unknown: 1 })),
      patch(`${one}?fieldManager=a&force=wrong`, applyPatch, aThing('one')),
      patch(`${one}?fieldManager=a&dryRun=All`, applyPatch, aThing('one'), managers),
      patch(`${one}/status?fieldManager=a`, applyPatch, { ...aThing('one'), status: { phase: 'New' } }),
      patch(`${one}?fieldManager=a`, mergePatch, bare({}), managers),
    ],
  },
  {
    title: 'an apply of a status, and of what has no schema',
    steps: [
      applied('a', {}),
      patch(
        `${one}/status?fieldManager=c`,
        applyPatch,
        {
          apiVersion: 'conformance.example.com/v1',
          kind: 'Thing',
          metadata: { name: 'one' },
          status: { phase: 'New' },
        },
        managers,
      ),
      patch(
        `${one}/status?fieldManager=c`,
        applyPatch,
        { apiVersion: 'conformance.example.com/v1', kind: 'Thing', metadata: { name: 'one' }, status: {} },
        managers,
      ),
      patch(`${plains}/one?fieldManager=a`, applyPatch, aPlain('one', { list: [1, 2], map: { a: 1 } }), managers),
      patch(`${plains}/one?fieldManager=b`, applyPatch, aPlain('one', { list: [3], map: { b: 1 } }), managers),
      patch(`${plains}/one?fieldManager=b`, applyPatch, aPlain('one', { map: { b: 1 } }), managers),
    ],
  },
];
