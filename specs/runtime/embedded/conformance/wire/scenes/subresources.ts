import { aThing, things } from '../kinds.ts';
import { jsonAt } from '../../../../../../runtime/embedded/api/json.ts';
import { get, jsonPatch, mergePatch, patch, post, put, remove, type Scene, table } from '../scene.ts';

const one = `${things}/one`;
const made = post(things, aThing('one'));

/** The status and the scale of an object. */
export const subresources: readonly Scene[] = [
  {
    title: 'a status is written apart from the rest',
    steps: [
      made,
      get(`${one}/status`),
      (told) =>
        put(`${one}/status`, {
          ...told[0],
          spec: { size: 40 },
          status: { phase: 'New' },
          metadata: { ...jsonAt(told[0], 'metadata'), labels: { a: 'b' } },
        }),
      patch(`${one}/status`, jsonPatch, [{ op: 'add', path: '/status/replicas', value: 2 }]),
      patch(`${one}/status`, mergePatch, { status: null }),
      patch(`${one}/status`, mergePatch, { status: { phase: 5 } }),
      patch(`${things}/nothing/status`, mergePatch, {}),
      remove(`${one}/status`),
      post(`${one}/status`, aThing('one')),
      get(`${one}/status`, { accept: table }),
    ],
  },
  {
    title: 'a scale is read and written',
    steps: [
      made,
      get(`${one}/scale`),
      patch(`${one}/status`, mergePatch, { status: { replicas: 2, selector: 'a=b' } }),
      (told) =>
        put(`${one}/scale`, { ...told[1], metadata: { name: 'one', namespace: 'default' }, spec: { replicas: 4 } }),
      (told) => put(`${one}/scale`, { ...told[1], spec: { replicas: 5 } }),
      get(`${one}/scale`),
      patch(`${one}/scale`, mergePatch, { spec: { replicas: 3 } }),
      patch(`${one}/scale`, mergePatch, { spec: { replicas: -1 } }),
      patch(`${one}/scale`, mergePatch, { spec: { replicas: 'x' } }),
      patch(`${one}/scale`, jsonPatch, [{ op: 'replace', path: '/spec/replicas', value: 6 }]),
      patch(`${one}/scale`, mergePatch, { spec: null }),
      patch(`${one}/scale`, mergePatch, { metadata: { resourceVersion: '1' }, spec: { replicas: 7 } }),
      patch(`${one}/scale?dryRun=All`, mergePatch, { spec: { replicas: 8 } }),
      get(`${things}/nothing/scale`),
      patch(`${things}/nothing/scale`, mergePatch, {}),
      remove(`${one}/scale`),
      get(one),
      post(things, aThing('two', { replicas: null })),
      get(`${things}/two/scale`),
      get(`${things}/two/scale`, { accept: table }),
    ],
  },
];
