import { create, get, patch, status } from '../ops.ts';
import { at, being, type Case, changedBetween, noBuild, plain } from './case.ts';

const made = [create('build', 'a'), `a #1 +1 g1 ${plain}`] as const;

/** What a change changes, and over which version it is made. */
export const patching: readonly Case[] = [
  {
    title: 'a change of the spec raises the generation, one of the metadata does not',
    steps: [
      made,
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }), `a #1 +2 g2 ${at('r')}`],
      [patch('build', 'a', { metadata: { labels: { x: '1' } } }), `a #1 +3 g2 labels{"x":"1"} ${at('r')}`],
      [get('build', 'a'), `a #1 +3 g2 labels{"x":"1"} ${at('r')}`],
    ],
    builds: [
      `added a #1 +1 g1 ${plain}`,
      `modified a #1 +2 g2 ${at('r')}`,
      `modified a #1 +3 g2 labels{"x":"1"} ${at('r')}`,
    ],
  },
  {
    title: 'null takes a field away, what is not named stays, a list is replaced as a whole',
    steps: [
      made,
      [
        patch('build', 'a', { metadata: { labels: { x: '1', y: '2' } } }),
        `a #1 +2 g1 labels{"x":"1","y":"2"} ${plain}`,
      ],
      [
        patch('build', 'a', { metadata: { labels: { x: null, z: '3' } } }),
        `a #1 +3 g1 labels{"y":"2","z":"3"} ${plain}`,
      ],
      [status('build', 'a', { ciChecks: ['p', 'q'], jobRef: 'j' }), 'a #1 +4 g1…'],
      [
        status('build', 'a', { ciChecks: ['r'], jobRef: null }),
        `a #1 +5 g1 labels{"y":"2","z":"3"} ${being('{"ciChecks":["r"]}')}`,
      ],
    ],
  },
  {
    title: 'null takes away a field that may be null',
    steps: [
      made,
      [status('build', 'a', { startedAt: '2027-01-01T00:00:00Z', phase: 'Running' }), 'a #1 +2 g1…'],
      [status('build', 'a', { startedAt: null, phase: 'Pending' }), `a #1 +3 g1 ${being('{"phase":"Pending"}')}`],
    ],
  },
  {
    title: 'a field that is undefined is not sent, so it stays',
    steps: [
      made,
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }), `a #1 +2 g2 ${at('r')}`],
      [patch('build', 'a', { spec: { gitCredentialRef: undefined } }), `a #1 +2 g2 ${at('r')}`],
    ],
  },
  {
    title: 'a change that changes nothing makes no version and is told to nobody',
    steps: [
      made,
      [patch('build', 'a', {}), `a #1 +1 g1 ${plain}`],
      [patch('build', 'a', { spec: { cache: false } }), `a #1 +1 g1 ${plain}`],
      [status('build', 'a', { phase: 'Pending' }), `a #1 +2 g1 ${being('{"phase":"Pending"}')}`],
      [status('build', 'a', { phase: 'Pending' }), `a #1 +2 g1 ${being('{"phase":"Pending"}')}`],
      [status('build', 'a', { phase: 'Pending', unheardOf: 1 }), `a #1 +2 g1 ${being('{"phase":"Pending"}')}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`, `modified a #1 +2 g1 ${being('{"phase":"Pending"}')}`],
  },
  {
    title: 'a write of the object leaves the status, a write of the status leaves all else',
    steps: [
      made,
      [status('build', 'a', { phase: 'Running' }), `a #1 +2 g1 ${being('{"phase":"Running"}')}`],
      [patch('build', 'a', { status: { phase: 'Failed' } }), `a #1 +2 g1 ${being('{"phase":"Running"}')}`],
      [get('build', 'a'), `a #1 +2 g1 ${being('{"phase":"Running"}')}`],
    ],
  },
  {
    title: 'a kind without a status of its own has none to write',
    steps: [
      [create('secret', 'a'), 'a #1 +1…'],
      [status('secret', 'a', { phase: 'x' }), 'NotFound: the server could not find the requested resource'],
    ],
  },
  {
    title: 'a write over another version or another uid is a conflict, and writes nothing',
    steps: [
      made,
      [
        patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }, { version: 'its', uid: 'its' }),
        `a #1 +2 g2 ${at('r')}`,
      ],
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 's' } } }, { version: 'older' }), changedBetween('a')],
      [status('build', 'a', { phase: 'Failed' }, { version: 'older' }), changedBetween('a')],
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 's' } } }, { version: 'another' }), changedBetween('a')],
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }, { version: 'older' }), changedBetween('a')],
      [
        status('build', 'a', { phase: 'Failed' }, { uid: 'another', version: 'its' }),
        'Conflict: CoreBuild.core.platform "a" is invalid: metadata.uid: Invalid value: "never-given": field is immutable',
      ],
      [get('build', 'a'), `a #1 +2 g2 ${at('r')}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`, `modified a #1 +2 g2 ${at('r')}`],
  },
  {
    title: 'of several writers over one version exactly one writes',
    steps: [
      made,
      [
        { do: 'race', kind: 'build', name: 'a', writers: 4, body: { spec: { gitCredentialRef: { name: 'r' } } } },
        'Conflict, Conflict, Conflict, written',
      ],
      [get('build', 'a'), `a #1 +2 g2 ${at('r')}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`, `modified a #1 +2 g2 ${at('r')}`],
  },
  {
    title: 'what its kind does not allow is refused, and nothing is written',
    steps: [
      made,
      [
        status('build', 'a', { phase: 'Nonsense' }),
        'Refused 422: CoreBuild.core.platform "a" is invalid: [status.phase…',
      ],
      [patch('build', 'a', { spec: { app: null } }), 'Refused 422: CoreBuild.core.platform "a" is invalid: [spec.app…'],
      [patch('build', 'a', { spec: 'text' }), 'Refused 422: CoreBuild.core.platform "a" is invalid: [spec…'],
      [get('build', 'a'), `a #1 +1 g1 ${plain}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`],
  },
  {
    title: 'what is not there is not changed',
    steps: [
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }), noBuild('a')],
      [status('build', 'a', { phase: 'Failed' }), noBuild('a')],
      [patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }, { version: 'another' }), noBuild('a')],
    ],
  },
];
