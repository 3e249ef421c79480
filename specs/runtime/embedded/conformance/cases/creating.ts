import { create, get, patch, remove } from '../ops.ts';
import { at, type Case, noBuild, plain, removed } from './case.ts';

/** What a new object gets, and what is not taken. */
export const creating: readonly Case[] = [
  {
    title: 'a new object gets a uid, a version, a first generation and its defaults',
    steps: [
      [create('build', 'a'), `a #1 +1 g1 ${plain}`],
      [
        create('build', 'b', { body: { spec: { app: 's', project: 'd', environment: 'l', cache: true } } }),
        'b #2 +2 g1…',
      ],
      [get('build', 'a'), `a #1 +1 g1 ${plain}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`, 'added b #2 +2 g1…'],
  },
  {
    title: 'an object without a spec has no generation',
    steps: [
      [create('secret', 'a', { body: { data: { k: 'dg==' } } }), 'a #1 +1 {"data":{"k":"dg=="},"type":"Opaque"}'],
    ],
  },
  {
    title: 'a second object of the same name is refused, of another kind taken',
    steps: [
      [create('build', 'a'), `a #1 +1 g1 ${plain}`],
      [create('build', 'a'), 'AlreadyExists: corebuilds.core.platform "a" already exists'],
      [create('secret', 'a'), 'a #2 +2…'],
    ],
    builds: [`added a #1 +1 g1 ${plain}`],
  },
  {
    title: 'a name is made up behind generateName',
    steps: [
      [{ do: 'generate', kind: 'build', prefix: 'gen-' }, `gen-… #1 +1 g1 ${plain}`],
      [{ do: 'generate', kind: 'build', prefix: 'other-' }, `other-… #2 +2 g1 ${plain}`],
    ],
  },
  {
    title: 'a status that comes with a new object is dropped',
    steps: [
      [create('build', 'a', { body: { status: { phase: 'Running' } } }), `a #1 +1 g1 ${plain}`],
      [get('build', 'a'), `a #1 +1 g1 ${plain}`],
    ],
  },
  {
    title: 'what only the server gives is not taken from the client',
    steps: [
      [
        create('build', 'a', {
          meta: { uid: 'mine', generation: 7, creationTimestamp: null, deletionTimestamp: '2020-01-01T00:00:00Z' },
        }),
        `a #1 +1 g1 ${plain}`,
      ],
      [get('build', 'a'), `a #1 +1 g1 ${plain}`],
    ],
  },
  {
    title: 'what its kind does not allow is refused, and nothing is stored',
    steps: [
      [
        create('build', 'a', { body: { spec: { app: 's' } } }),
        'Refused 422: CoreBuild.core.platform "a" is invalid: [spec.project: Required value, spec.environment: Required value, …',
      ],
      [
        create('build', 'A_'),
        'Refused 422: CoreBuild.core.platform "A_" is invalid: metadata.name: Invalid value: "A_"…',
      ],
      [
        create('build', 'a', { body: { kind: 'CoreApp' } }),
        'Refused 422: CoreApp.core.platform "a" is invalid: kind: Invalid value: "CoreApp": must be CoreBuild',
      ],
      [
        create('secret', 'a', { body: { data: { k: 'no base64!' } } }),
        'Refused 400: Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 2',
      ],
      [
        create('build', 'a', { meta: { labels: { x: 'not a label!' } } }),
        'Refused 422: CoreBuild.core.platform "a" is…',
      ],
      [get('build', 'a'), noBuild('a')],
    ],
    builds: [],
  },
  {
    title: 'nothing is created in a namespace that is not there',
    steps: [[create('build', 'a', { meta: { namespace: 'nowhere' } }), 'NotFound: namespaces "nowhere" not found']],
  },
  {
    title: 'an object made again under the same name is another one',
    steps: [
      [create('build', 'a'), `a #1 +1 g1 ${plain}`],
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }), `a #1 +2 g2 ${at('r')}`],
      [remove('build', 'a'), removed],
      [create('build', 'a'), `a #2 +4 g1 ${plain}`],
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 's' } } }, { version: 'older' }), 'Conflict…'],
      [remove('build', 'a', { uid: 'another' }), 'Conflict…'],
      [get('build', 'a'), `a #2 +4 g1 ${plain}`],
    ],
  },
];
