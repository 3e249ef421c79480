import { apply, create, get, patch, remove, status } from '../ops.ts';
import { type Case, noBuild, plain } from './case.ts';

const secretWith = (data: string) => ({ body: { data: { [data]: 'dg==' } } });
const both = { body: { data: { k: 'dg==', l: 'dg==' } } };
const made = `a #1 +1 g1 ${plain}`;

/** Applies are forced and by one manager: they create alone, or change the very object that they mean. */
export const applying: readonly Case[] = [
  {
    title: 'an apply that may only create makes what is not there, with its defaults',
    steps: [
      [apply('build', 'a', 'nothing'), made],
      [apply('build', 'a', 'nothing'), 'Conflict: Operation cannot be fulfilled on corebuilds.core.platform "a"…'],
      [get('build', 'a'), made],
    ],
    builds: [`added ${made}`],
  },
  {
    title: 'an apply over nothing leaves alone what somebody created',
    steps: [
      [create('secret', 'a', secretWith('k')), 'a #1 +1 {"data":{"k":"dg=="},"type":"Opaque"}'],
      [apply('secret', 'a', 'nothing', secretWith('l')), 'Conflict…'],
      [get('secret', 'a'), 'a #1 +1 {"data":{"k":"dg=="},"type":"Opaque"}'],
    ],
  },
  {
    title: 'an apply over an object that is not there is a conflict, and makes none',
    steps: [
      [apply('build', 'a', 'another'), 'Conflict: Operation cannot be fulfilled on corebuilds.core.platform "a"…'],
      [get('build', 'a'), noBuild('a')],
    ],
    builds: [],
  },
  {
    title: 'an apply over another object of the name is a conflict, and changes nothing',
    steps: [
      [apply('build', 'a', 'nothing'), made],
      [apply('build', 'a', 'another', { meta: { labels: { t: 'p' } } }), 'Conflict: CoreBuild.core.platform "a" is…'],
      [get('build', 'a'), made],
    ],
    builds: [`added ${made}`],
  },
  {
    title: 'an apply that changes nothing writes nothing',
    steps: [
      [apply('build', 'a', 'nothing', { meta: { labels: { t: 'p' } } }), `a #1 +1 g1 labels{"t":"p"} ${plain}`],
      [apply('build', 'a', 'its', { meta: { labels: { t: 'p' } } }), `a #1 +1 g1 labels{"t":"p"} ${plain}`],
    ],
    builds: [`added a #1 +1 g1 labels{"t":"p"} ${plain}`],
  },
  {
    title: 'what an apply gave before and gives no longer goes, and nothing else',
    steps: [
      [apply('secret', 'a', 'nothing', both), 'a #1 +1 {"data":{"k":"dg==","l":"dg=="},"type":"Opaque"}'],
      [
        patch('secret', 'a', { data: { m: 'dg==' } }),
        'a #1 +2 {"data":{"k":"dg==","l":"dg==","m":"dg=="},"type":"Opaque"}',
      ],
      [apply('secret', 'a', 'its', secretWith('k')), 'a #1 +3 {"data":{"k":"dg==","m":"dg=="},"type":"Opaque"}'],
      [apply('secret', 'a', 'its', secretWith('k')), 'a #1 +3 {"data":{"k":"dg==","m":"dg=="},"type":"Opaque"}'],
    ],
  },
  {
    title: 'an apply takes nothing away from an object that was created in another way',
    steps: [
      [create('secret', 'a', both), 'a #1 +1 {"data":{"k":"dg==","l":"dg=="},"type":"Opaque"}'],
      [apply('secret', 'a', 'its', secretWith('k')), 'a #1 +2 {"data":{"k":"dg==","l":"dg=="},"type":"Opaque"}'],
      [
        apply('secret', 'a', 'its', secretWith('m')),
        'a #1 +3 {"data":{"k":"dg==","l":"dg==","m":"dg=="},"type":"Opaque"}',
      ],
    ],
  },
  {
    title: 'an apply puts back what another manager changed',
    steps: [
      [apply('secret', 'a', 'nothing', secretWith('k')), 'a #1 +1 {"data":{"k":"dg=="},"type":"Opaque"}'],
      [patch('secret', 'a', { data: { k: 'dw==' } }), 'a #1 +2 {"data":{"k":"dw=="},"type":"Opaque"}'],
      [apply('secret', 'a', 'its', secretWith('k')), 'a #1 +3 {"data":{"k":"dg=="},"type":"Opaque"}'],
    ],
  },
  {
    title: 'an apply of an object is none of its status',
    steps: [
      [apply('build', 'a', 'nothing', { body: { status: { phase: 'Failed' } } }), made],
      [status('build', 'a', { phase: 'Running' }), 'a #1 +2…'],
      [apply('build', 'a', 'its'), 'a #1 +2…'],
    ],
  },
  {
    title: 'what its kind does not allow is not applied',
    steps: [
      [
        apply('build', 'a', 'nothing', { body: { spec: { app: 's' } } }),
        'Refused 422: CoreBuild.core.platform "a" is invalid: [spec.project: Required value…',
      ],
      [apply('build', 'a', 'nothing', { meta: { namespace: 'nowhere' } }), 'NotFound: namespaces "nowhere" not found'],
      [get('build', 'a'), noBuild('a')],
    ],
    builds: [],
  },
  {
    title: 'an object applied again after its deletion is another one',
    steps: [
      [apply('build', 'a', 'nothing'), made],
      [remove('build', 'a'), 'removed'],
      [apply('build', 'a', 'its'), 'Conflict…'],
      [apply('build', 'a', 'nothing'), `a #2 +3 g1 ${plain}`],
    ],
    builds: [`added ${made}`, `deleted a #1 +2 g1 ${plain}`, `added a #2 +3 g1 ${plain}`],
  },
];
