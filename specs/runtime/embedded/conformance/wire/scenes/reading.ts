import { aPlain, aThing, plains, things } from '../kinds.ts';
import { at, jsonAt, textAt } from '../../../../../../runtime/embedded/api/json.ts';
import { get, mergePatch, partial, partialList, patch, post, type Scene, type Step, table } from '../scene.ts';

const three: readonly Step[] = [
  post(things, aThing('c', { color: 'blue', on: true, ratio: 1.5 }, { labels: { t: '1' } })),
  post(
    things,
    aThing('a', { size: 7, tags: ['x', 'y'], parts: [{ name: 'p' }, { name: 'q' }] }, { labels: { t: '2' } }),
  ),
  post(things, aThing('b', { when: '2020-01-01T00:00:00Z' }, { labels: { t: '1', u: 'x' } })),
];
const names = (body: object) => ({
  ...body,
  ...('items' in body && {
    items: Array.isArray(body.items) ? body.items.map((item: unknown) => textAt(item, 'metadata', 'name')) : body.items,
  }),
});
const selected = (query: string) => get(`${things}?${query}`, { look: names });
const labels = (text: string) => selected(`labelSelector=${encodeURIComponent(text)}`);
const fields = (text: string) => selected(`fieldSelector=${encodeURIComponent(text)}`);

/** What a client reads, in which form, and what it may ask for. */
export const reading: readonly Scene[] = [
  {
    title: 'a list, an object and what is not there',
    steps: [
      get(things),
      ...three,
      get(things),
      get(`${things}/a`),
      get(`${things}/nothing`),
      get('/apis/conformance.example.com/v1/things', { look: names }),
      get('/apis/conformance.example.com/v1/namespaces/nowhere/things'),
      get('/apis/conformance.example.com/v1/namespaces/nowhere/things/a'),
    ],
  },
  {
    title: 'a table, and metadata alone',
    steps: [
      get(things, { accept: table }),
      ...three,
      get(things, { accept: table }),
      get(`${things}/a`, { accept: table }),
      get(`${things}?includeObject=None`, { accept: table }),
      get(`${things}?includeObject=Object&limit=1`, { accept: table }),
      get(`${things}?includeObject=Wrong`, { accept: table }),
      get(things, { accept: partialList }),
      get(`${things}/a`, { accept: partial }),
      get(things, { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' }),
      get(things, { accept: 'application/json;as=Wrong;v=v1;g=meta.k8s.io' }),
      get(things, { accept: 'text/html' }),
      get(things, { accept: 'application/vnd.kubernetes.protobuf' }),
      get(things, { accept: 'application/vnd.kubernetes.protobuf,application/json', look: names }),
      get(`${things}/nothing`, { accept: table }),
      post(plains, aPlain('one')),
      get(plains, { accept: table }),
    ],
  },
  {
    title: 'yaml is written where it is asked for',
    steps: [
      get(`${things}/nothing`, { accept: 'application/yaml' }),
      get('/apis/conformance.example.com', { accept: 'application/yaml' }),
    ],
  },
  {
    title: 'labels select',
    steps: [
      ...three,
      ...[
        't=1',
        't==2',
        't!=1',
        'u',
        '!u',
        't in (1,2),u',
        't notin (1)',
        't=',
        't>1',
        't<2',
        't in (1',
        't=1=2',
        '=',
        't===1',
        't in ()',
        't in',
        'a b',
        '!',
        't>x',
        ',',
        't=1,',
        'not a key!=1',
        't=not!',
        'Bad_-=1',
        `${'a'.repeat(64)}=1`,
        't in (1, 2)',
        'x notin (1)',
      ].map(labels),
    ],
  },
  {
    title: 'fields select',
    steps: [
      ...three,
      ...[
        'metadata.name=a',
        'metadata.name!=a',
        'metadata.namespace=default',
        'spec.color=blue',
        'spec.size=7',
        'spec.size!=7',
        'spec.code=x',
        'status.phase=x',
        'metadata.uid=x',
        'nothing',
        'metadata.name=a,spec.color=red',
        'metadata.name==a',
        'metadata.name>a',
      ].map(fields),
      get(`${plains}?fieldSelector=spec.x%3Dy`),
    ],
  },
  {
    title: 'a long list comes in pages',
    steps: [
      ...three,
      get(`${things}?limit=2`, { look: names }),
      (told) =>
        get(`${things}?limit=2&continue=${encodeURIComponent(textAt(told.at(-1), 'metadata', 'continue'))}`, {
          look: names,
        }),
      get(`${things}?limit=1`, { look: names }),
      post(things, aThing('aa')),
      (told) =>
        get(`${things}?limit=1&continue=${encodeURIComponent(textAt(told.at(-2), 'metadata', 'continue'))}`, {
          look: names,
        }),
      (told) =>
        get(`${things}?limit=5&continue=${encodeURIComponent(textAt(told.at(-1), 'metadata', 'continue'))}`, {
          look: names,
        }),
      get(`${things}?limit=2&labelSelector=t%3D1`, { look: names }),
      get(`${things}?limit=1&labelSelector=t%3D1`, { look: names }),
      get(`${things}?continue=wrong`),
      get(`${things}?limit=x`, { look: names }),
      get(`${things}?limit=-1`, { look: names }),
      get(`${things}?limit=2`, { accept: table, look: (body) => ({ metadata: jsonAt(body, 'metadata') }) }),
    ],
  },
  {
    title: 'a version can be asked for',
    steps: [
      ...three,
      get(`${things}?resourceVersion=0`, { look: names }),
      get(`${things}?resourceVersion=x`),
      get(`${things}?resourceVersion=0&resourceVersionMatch=NotOlderThan`, { look: names }),
      get(`${things}?resourceVersion=0&resourceVersionMatch=Exact`),
      get(`${things}?resourceVersionMatch=Exact`),
      get(`${things}?resourceVersion=1&resourceVersionMatch=Wrong`),
      get(`${things}?resourceVersionMatch=NotOlderThan`),
      (told) =>
        get(`${things}?resourceVersion=${textAt(told[0], 'metadata', 'resourceVersion')}&resourceVersionMatch=Exact`, {
          look: names,
        }),
      (told) =>
        get(
          `${things}?resourceVersion=${textAt(told[1], 'metadata', 'resourceVersion')}&resourceVersionMatch=NotOlderThan`,
          { look: names },
        ),
      (told) =>
        get(`${things}/a?resourceVersion=${textAt(told[1], 'metadata', 'resourceVersion')}`, {
          look: (body) => at(body, 'kind'),
        }),
      get(`${things}?continue=x&resourceVersion=4`),
      get(`${things}?continue=x&resourceVersionMatch=Exact`),
      get(`${things}?resourceVersion=99999999`),
      get(`${things}/a?resourceVersion=99999999`),
      get(`${things}/a?resourceVersion=x`),
    ],
  },
  {
    title: 'numbers and texts stay what they were',
    steps: [
      post(
        plains,
        '{"apiVersion":"conformance.example.com/v1","kind":"Plain","metadata":{"name":"n"},"a":1.0,"b":1.50,"c":1e3,"d":9007199254740993,"e":"<&>","f":0.1,"g":-0,"h":null,"i":[],"j":{},"k":"\\u2028"}',
      ),
      get(`${plains}/n`),
      patch(`${plains}/n`, mergePatch, '{"a":2.0,"b":null}'),
    ],
  },
];
