import { create, list, type Op, patch } from '../ops.ts';
import { type Case, plain, type Step } from './case.ts';

const labelled = (name: string, labels: Readonly<Record<string, string>>): Op =>
  create('build', name, { meta: { labels } });

const three: readonly Step[] = [
  [labelled('c', { t: '1' }), 'c #1 +1…'],
  [labelled('a', { t: '2' }), 'a #2 +2…'],
  [labelled('b', { t: '1', u: 'x' }), 'b #3 +3…'],
];
const a = `a #2 +2 g1 labels{"t":"2"} ${plain}`;
const b = `b #3 +3 g1 labels{"t":"1","u":"x"} ${plain}`;
const c = `c #1 +1 g1 labels{"t":"1"} ${plain}`;

/** What a list holds, in which order, and what a selector leaves of it. */
export const listing: readonly Case[] = [
  {
    title: 'a list is in the order of names, and has the version of the newest change of anything',
    steps: [...three, [list('build'), `+3 [${a}; ${b}; ${c}]`], [create('secret', 's'), 's…'], [list('pod'), '+4 []']],
  },
  {
    title: 'a label selector leaves what it holds for',
    steps: [
      ...three,
      [list('build', 't=1'), `+3 [${b}; ${c}]`],
      [list('build', 't==2'), `+3 [${a}]`],
      [list('build', 't!=1'), `+3 [${a}]`],
      [list('build', 'u!=x'), `+3 [${a}; ${c}]`],
      [list('build', 't in (1,2),u'), `+3 [${b}]`],
      [list('build', 't notin (1)'), `+3 [${a}]`],
      [list('build', '!u'), `+3 [${a}; ${c}]`],
      [list('build', 't=1,u=x'), `+3 [${b}]`],
      [list('build', 't='), '+3 []'],
      [list('build', '='), "Refused 400: found '=', expected: !, identifier, or 'end of string'"],
      [list('build', 't in (1'), 'Refused 400: unable to parse requirement…'],
    ],
  },
  {
    title: 'a selector sees the labels as they are now',
    steps: [
      ...three,
      [patch('build', 'a', { metadata: { labels: { t: '1' } } }), 'a #2 +4…'],
      [patch('build', 'c', { metadata: { labels: { t: null } } }), 'c #1 +5…'],
      [list('build', 't=1'), `+5 [a #2 +4 g1 labels{"t":"1"} ${plain}; ${b}]`],
    ],
  },
  {
    title: 'a long list comes in pages of one version',
    steps: [
      ...three,
      [list('build', undefined, 2), `+3 [${a}; ${b}] then +3 [${c}]`],
      [list('build', 't=1', 1), `+3 [${b}] then +3 [${c}]`],
      [list('build', undefined, 3), `+3 [${a}; ${b}; ${c}]`],
    ],
  },
];
