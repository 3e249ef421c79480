import { aThing, things } from '../kinds.ts';
import { textAt } from '../../../../../../runtime/embedded/api/json.ts';
import { get, mergePatch, partial, patch, post, remove, type Scene, table } from '../scene.ts';

const one = `${things}/one`;
const made = post(things, aThing('one'));
const held = post(things, aThing('one', {}, { finalizers: ['example.com/hold'] }));

/** How an object goes. */
export const removing: readonly Scene[] = [
  {
    title: 'an object is deleted, and not twice',
    steps: [
      made,
      remove(one),
      remove(one),
      get(one),
      made,
      remove(one, undefined, { accept: table }),
      made,
      remove(one, undefined, { accept: partial }),
    ],
  },
  {
    title: 'a finalizer holds an object',
    steps: [
      held,
      remove(one),
      remove(one),
      get(one),
      patch(one, mergePatch, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } }),
      patch(one, mergePatch, { spec: { size: 6 } }),
      patch(one, mergePatch, { metadata: { deletionTimestamp: null } }),
      patch(one, mergePatch, { metadata: { finalizers: null } }),
      get(one),
      patch(one, mergePatch, { metadata: { finalizers: null } }),
    ],
  },
  {
    title: 'what must hold for a deletion is checked',
    steps: [
      made,
      remove(one, { preconditions: { uid: 'another' } }),
      remove(one, { preconditions: { resourceVersion: '1' } }),
      remove(one, { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid: 'another', resourceVersion: '1' } }),
      remove(one, { propagationPolicy: 'Wrong' }),
      remove(`${one}?propagationPolicy=Wrong`),
      remove(one, { propagationPolicy: 'Background', orphanDependents: true }),
      remove(one, { gracePeriodSeconds: -1 }),
      remove(one, { dryRun: ['Wrong'] }),
      remove(`${one}?dryRun=Wrong`),
      remove(one, { kind: 'Other', apiVersion: 'v1' }),
      remove(one, '{"not json'),
      remove(one, { unknown: 1 }),
      remove(`${one}?dryRun=All`),
      remove(one, { dryRun: ['All'] }),
      (told) =>
        remove(one, {
          preconditions: {
            uid: textAt(told[0], 'metadata', 'uid'),
            resourceVersion: textAt(told[0], 'metadata', 'resourceVersion'),
          },
        }),
      get(one),
    ],
  },
  {
    title: 'dependents wait or are left',
    steps: [
      made,
      remove(one, { propagationPolicy: 'Background', gracePeriodSeconds: 0 }),
      held,
      remove(one, { propagationPolicy: 'Foreground', dryRun: ['All'] }),
      remove(`${one}?propagationPolicy=Orphan&dryRun=All`),
      remove(`${one}?gracePeriodSeconds=5`),
    ],
  },
  {
    title: 'many are deleted at once',
    steps: [
      post(things, aThing('a', {}, { labels: { t: '1' } })),
      post(things, aThing('b', {}, { labels: { t: '2' } })),
      post(things, aThing('c', {}, { labels: { t: '1' }, finalizers: ['example.com/hold'] })),
      remove(`${things}?labelSelector=t%3D1&dryRun=All`),
      remove(`${things}?labelSelector=t%3D1`),
      get(things),
      remove(`${things}?fieldSelector=metadata.name%3Dnothing`),
      remove(`${things}?propagationPolicy=Wrong`),
      remove(things, { propagationPolicy: 'Background' }),
      get(things),
      remove('/apis/conformance.example.com/v1/things'),
      remove(things),
    ],
  },
];
