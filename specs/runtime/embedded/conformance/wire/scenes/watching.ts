import { aThing, things } from '../kinds.ts';
import { listAt, textAt, type Json } from '../../../../../../runtime/embedded/api/json.ts';
import { get, mergePatch, patch, post, remove, type Scene, type Told, partial, table } from '../scene.ts';

const versionOf = (body: Json | undefined) => textAt(body, 'metadata', 'resourceVersion');
const a = `${things}/a`;
const watched = (query: string, more: { readonly accept?: string } = {}) =>
  get(`${things}?watch=1&timeoutSeconds=1${query}`, more);
const since = (told: Told, query = '', more: { readonly accept?: string } = {}) =>
  watched(`&resourceVersion=${versionOf(told[0])}${query}`, more);
/** Without the marks of progress, which come when they come. */
const changesOnly = (body: Json) => ({
  events: listAt(body, 'events').filter((event) => textAt(event, 'type') !== 'BOOKMARK'),
});

/** What a watch tells, from where on. */
export const watching: readonly Scene[] = [
  {
    title: 'a watch tells what happened since a version',
    steps: [
      get(things),
      post(things, aThing('a', {}, { labels: { t: '1' } })),
      post(things, aThing('b', { color: 'blue' }, { labels: { t: '2' } })),
      patch(a, mergePatch, { spec: { size: 6 } }),
      patch(a, mergePatch, { metadata: { labels: { t: '2' } } }),
      patch(a, mergePatch, { spec: { color: 'blue' } }),
      remove(a),
      (told) => since(told),
      (told) => since(told, '&labelSelector=t%3D1'),
      (told) => since(told, '&labelSelector=t%3D2'),
      (told) => since(told, '&fieldSelector=metadata.name%3Db'),
      (told) => since(told, '&fieldSelector=spec.color%3Dblue'),
      (told) => since(told, '', { accept: table }),
      (told) => since(told, '', { accept: partial }),
    ],
  },
  {
    title: 'a watch begins with what there is',
    steps: [
      post(things, aThing('a')),
      post(things, aThing('b')),
      { ...watched(''), look: changesOnly },
      { ...watched('&resourceVersion=0'), look: changesOnly },
      watched('&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan'),
      watched('&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersion=0&resourceVersionMatch=NotOlderThan', {
        accept: partial,
      }),
      watched('&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan', { accept: table }),
      { ...watched('&sendInitialEvents=false&resourceVersionMatch=NotOlderThan'), look: changesOnly },
    ],
  },
  {
    title: 'a watch from where there is none is refused',
    steps: [
      watched('&sendInitialEvents=true'),
      watched('&sendInitialEvents=true&resourceVersionMatch=Exact'),
      watched('&resourceVersionMatch=NotOlderThan'),
      get(`${things}?sendInitialEvents=true`),
      watched('&resourceVersion=x'),
      watched('&labelSelector=a%3Db%3Dc'),
      watched('&fieldSelector=nothing%3Dx'),
      watched('&timeoutSeconds=x'),
      get(`/apis/conformance.example.com/v1/watch/namespaces/default/things?timeoutSeconds=1`),
    ],
  },
];
