import { create, get, list, patch, remove, status } from '../ops.ts';
import { being, type Case, isGone, plain, removed } from './case.ts';

const made = [create('build', 'a'), `a #1 +1 g1 ${plain}`] as const;
const held = { finalizers: ['core.platform/held'] };
const holding = 'finalizers["core.platform/held"]';

/** What goes, what stays for its finalizers, and what goes with its owner. */
export const removing: readonly Case[] = [
  {
    title: 'what is removed is gone, and removing nothing is no error',
    steps: [made, [remove('build', 'a'), removed], isGone('a'), [remove('build', 'a'), removed]],
    builds: [`added a #1 +1 g1 ${plain}`, `deleted a #1 +2 g1 ${plain}`],
  },
  {
    title: 'only the very object, in the very version, that was meant is removed',
    steps: [
      made,
      [patch('build', 'a', { metadata: { labels: { x: '1' } } }), 'a #1 +2…'],
      [
        remove('build', 'a', { uid: 'another' }),
        'Conflict: Operation cannot be fulfilled on CoreBuild.core.platform "a": the UID in the precondition…',
      ],
      [
        remove('build', 'a', { version: 'older' }),
        'Conflict: Operation cannot be fulfilled on CoreBuild.core.platform "a": the ResourceVersion in the precondition…',
      ],
      [remove('build', 'a', { uid: 'its', version: 'its' }), removed],
      isGone('a'),
      [remove('build', 'a', { uid: 'its', version: 'its' }), removed],
    ],
  },
  {
    title: 'an object with a finalizer waits for the last of them to be taken away',
    steps: [
      [create('build', 'a', { meta: held }), `a #1 +1 g1 ${holding} ${plain}`],
      [remove('build', 'a'), removed],
      [get('build', 'a'), `a #1 +2 g2 deleting ${holding} ${plain}`],
      [remove('build', 'a'), removed],
      [get('build', 'a'), `a #1 +2 g2 deleting ${holding} ${plain}`],
      [create('build', 'a'), 'AlreadyExists…'],
      [status('build', 'a', { phase: 'Failed' }), `a #1 +3 g2 deleting ${holding}…`],
      [
        patch('build', 'a', { metadata: { finalizers: [...held.finalizers, 'core.platform/new'] } }),
        'Refused 422: CoreBuild.core.platform "a" is invalid: metadata.finalizers: Forbidden…',
      ],
      [patch('build', 'a', { metadata: { finalizers: [] } }, { version: 'older' }), 'Conflict…'],
      // Nothing is stored by it: the answer is what was asked for, in the version that was last stored.
      [
        patch('build', 'a', { metadata: { finalizers: [] } }, { version: 'its' }),
        `a #1 +3 g2 deleting ${being('{"phase":"Failed"}')}`,
      ],
      isGone('a'),
      [create('build', 'a'), `a #2 +5 g1 ${plain}`],
    ],
    builds: [
      `added a #1 +1 g1 ${holding} ${plain}`,
      `modified a #1 +2 g2 deleting ${holding} ${plain}`,
      `modified a #1 +3 g2 deleting ${holding}…`,
      `deleted a #1 +4 g2 deleting ${holding} ${being('{"phase":"Failed"}')}`,
      `added a #2 +5 g1 ${plain}`,
    ],
  },
  {
    title: 'a finalizer taken away before the deletion holds nothing',
    steps: [
      [create('build', 'a', { meta: held }), 'a #1 +1…'],
      [patch('build', 'a', { metadata: { finalizers: null } }), `a #1 +2 g1 ${plain}`],
      [remove('build', 'a'), removed],
      isGone('a'),
    ],
  },
  {
    title: 'what belongs to a removed object goes with it, and what belongs to that',
    steps: [
      made,
      [create('pod', 'p', { owners: [{ kind: 'build', name: 'a' }] }), 'p #2 +2 g1 of #1…'],
      [create('secret', 's', { owners: [{ kind: 'pod', name: 'p' }] }), 's #3 +3 of #2…'],
      [create('secret', 't'), 't #4 +4…'],
      [remove('build', 'a'), removed],
      [list('pod'), '+7 []'],
      [list('secret'), '+7 [t #4 +4 {"type":"Opaque"}]'],
    ],
  },
  {
    title: 'what has another owner stays for that one',
    steps: [
      made,
      [create('build', 'b'), 'b #2 +2…'],
      [
        create('secret', 's', {
          owners: [
            { kind: 'build', name: 'a' },
            { kind: 'build', name: 'b' },
          ],
        }),
        's #3 +3 of #1 #2…',
      ],
      [remove('build', 'a'), removed],
      [get('secret', 's'), 's #3 +5 of #2…'],
      [remove('build', 'b'), removed],
      [get('secret', 's'), 'NotFound…'],
    ],
  },
  {
    title: 'what loses one owner after the other, but has a finalizer, waits for that',
    steps: [
      made,
      [create('pod', 'p', { owners: [{ kind: 'build', name: 'a' }] }), 'p #2 +2 g1 of #1…'],
      [
        create('secret', 's', {
          meta: held,
          owners: [
            { kind: 'build', name: 'a' },
            { kind: 'pod', name: 'p' },
          ],
        }),
        `s #3 +3 ${holding} of #1 #2…`,
      ],
      [remove('build', 'a'), removed],
      [get('secret', 's'), `s #3 +7 deleting ${holding} of #2…`],
      [patch('secret', 's', { metadata: { finalizers: null } }), 's #3 +7 deleting of #2…'],
      [get('secret', 's'), 'NotFound…'],
    ],
  },
  {
    title: 'what belongs to an owner of an earlier life is collected, though one of that name is there',
    steps: [
      made,
      [remove('build', 'a'), removed],
      [create('secret', 's', { owners: [{ kind: 'build', name: 'a' }] }), 's #2 +3 of #1…'],
      [get('secret', 's'), 'NotFound…'],
    ],
  },
  {
    title: 'an owner that only waits to be deleted still owns',
    steps: [
      [create('build', 'a', { meta: held }), 'a #1 +1…'],
      [create('secret', 's', { owners: [{ kind: 'build', name: 'a' }] }), 's #2 +2 of #1…'],
      [remove('build', 'a'), removed],
      [get('secret', 's'), 's #2 +2 of #1…'],
      [patch('build', 'a', { metadata: { finalizers: [] } }), 'a #1 +3…'],
      [get('secret', 's'), 'NotFound…'],
    ],
  },
];
