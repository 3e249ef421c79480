import { create, get, patch } from '../ops.ts';
import { at, type Case, changedBetween, isGone, noBuild, plain } from './case.ts';

const made = [create('build', 'a'), `a #1 +1 g1 ${plain}`] as const;
const unread = 'Refused 422:  "" is invalid: patch: Invalid value: "{';

/** What an object is stays as it is: its name, its namespace, its kind, its uid; its version is the server's. */
export const naming: readonly Case[] = [
  {
    title: 'no patch gives an object another name or another namespace',
    steps: [
      made,
      [
        patch('build', 'a', { metadata: { name: 'b' }, spec: { gitCredentialRef: { name: 'r' } } }),
        'Refused 400: the name of the object (b) does not match the name on the URL (a)',
      ],
      [
        patch('build', 'a', { metadata: { name: null } }),
        'Refused 400: the name of the object (a based on URL) was undeterminable: name must be provided',
      ],
      [
        patch('build', 'a', { metadata: { namespace: 'default' } }),
        'Refused 400: the namespace of the provided object does not match the namespace sent on the request',
      ],
      [patch('build', 'a', { metadata: { namespace: null } }), `a #1 +1 g1 ${plain}`],
      [
        patch('build', 'a', { metadata: { name: 'a' }, spec: { gitCredentialRef: { name: 'r' } } }),
        `a #1 +2 g2 ${at('r')}`,
      ],
      isGone('b'),
    ],
    builds: [`added a #1 +1 g1 ${plain}`, `modified a #1 +2 g2 ${at('r')}`],
  },
  {
    title: 'no patch makes one of our kinds another kind, or of another version',
    steps: [
      made,
      [
        patch('build', 'a', { kind: 'CoreApp' }),
        'Refused 422: CoreApp.core.platform "a" is invalid: kind: Invalid value: "CoreApp": must be CoreBuild',
      ],
      [
        patch('build', 'a', { apiVersion: 'core.platform/v2' }),
        'Refused 422: CoreBuild.core.platform "a" is invalid: apiVersion: Invalid value: "core.platform/v2": must be core.platform/v1alpha1',
      ],
      [
        patch('build', 'a', { kind: 'Pod', apiVersion: 'other/v2' }),
        'Refused 422: Pod.other "a" is invalid: [kind: Invalid value: "Pod": must be CoreBuild, apiVersion: Invalid value: "other/v2": must be core.platform/v1alpha1]',
      ],
      [patch('build', 'a', { kind: null }), `${unread}…`],
      [patch('build', 'a', { kind: 'CoreApp' }, { version: 'another' }), changedBetween('a')],
      [patch('build', 'a', { kind: 'CoreBuild', apiVersion: 'core.platform/v1alpha1' }), `a #1 +1 g1 ${plain}`],
      [get('build', 'a'), `a #1 +1 g1 ${plain}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`],
  },
  {
    title: 'no patch makes a built-in kind another one; where it names none, it is the same',
    steps: [
      [create('secret', 'a'), 'a #1 +1…'],
      [patch('secret', 'a', { kind: 'Nothing' }), `${unread}…`],
      [patch('secret', 'a', { apiVersion: 'v9' }), `${unread}…`],
      [patch('secret', 'a', { kind: null, apiVersion: null }), 'a #1 +1…'],
      [get('secret', 'a'), 'a #1 +1…'],
    ],
  },
  {
    title: 'a patch of an object of another life is a conflict, even over its version',
    steps: [
      made,
      [
        patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }, { uid: 'another' }),
        'Conflict: CoreBuild.core.platform "a" is invalid: metadata.uid: Invalid value: "never-given": field is immutable',
      ],
      [
        patch('build', 'a', { spec: { gitCredentialRef: { name: 'r' } } }, { uid: 'another', version: 'another' }),
        changedBetween('a'),
      ],
      [get('build', 'a'), `a #1 +1 g1 ${plain}`],
    ],
    builds: [`added a #1 +1 g1 ${plain}`],
  },
  {
    title: 'an object is not created in a version that the client gives',
    steps: [
      [
        create('build', 'a', { meta: { resourceVersion: '7' } }),
        'Unavailable: 500 resourceVersion should not be set on objects to be created',
      ],
      [get('build', 'a'), noBuild('a')],
      [create('build', 'a', { meta: { resourceVersion: '0' } }), `a #1 +1 g1 ${plain}`],
      [create('build', 'a', { meta: { resourceVersion: '7' } }), 'Unavailable: 500…'],
      [
        create('build', 'A_', { meta: { resourceVersion: '7' } }),
        'Refused 422: CoreBuild.core.platform "A_" is invalid…',
      ],
    ],
    builds: [`added a #1 +1 g1 ${plain}`],
  },
];
