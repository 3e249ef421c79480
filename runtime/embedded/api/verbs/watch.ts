import type { ServerResponse } from 'node:http';
import type { Change, Stored } from '../../store.ts';
import { type Answer, statusOf } from '../answer.ts';
import { type Call, isTrue } from '../call.ts';
import { groupVersion } from '../kinds/type.ts';
import { type View, objectText } from '../present.ts';
import { selected } from '../selected.ts';
import { selectedChange } from '../selectedChange.ts';
import { type Selection, selectionOf } from '../selectors.ts';
import { StatusError, expired, tooManyStreams } from '../status.ts';
import { revisionOf } from '../resourceVersion.ts';
import { bookmarkTable } from '../table/table.ts';
import { createBeat } from './beat.ts';
import { checkListOptions } from './listOptions.ts';
import { viewOf } from './read.ts';

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A Kubernetes API serves Events without a watch cache, and so without bookmarks, but for that of the initial events. */
const hasBookmarks = ({ bucket }: Call['type']) => bucket !== '/events';
/** The bookmarks of all watches leave together. */
const beat = createBeat(10_000);
/** A client that is this far behind is cut off; it comes back with the version it has seen. */
const mostUnsent = 16 * 1024 * 1024;
/** Less than this on each watch that a caller may have is never too much in all. */
const muchUnsent = 16 * 1024;
const defaultTimeoutSeconds = 1_800;
const initialEventsEnd = { annotations: { 'k8s.io/initial-events-end': 'true' } };

/** The changes of a resource from a version on, one line of JSON each, until the client goes or time is up. */
export function watchObjects(call: Call): Answer {
  checkListOptions(call, true);
  if (!call.held.addStream(call.sender, call.response)) throw tooManyStreams();
  const start = startOf(call);
  return { stream: (response) => (start instanceof StatusError ? fail(start, response) : open(call, start, response)) };
}

/** A version that is too old is an ERROR event of the watch, as clients expect. */
function fail({ body }: StatusError, response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(errorLine({ body }));
}

const errorLine = ({ body }: Pick<StatusError, 'body'>) => `${JSON.stringify({ type: 'ERROR', object: body })}\n`;

/** An object in the form asked for, or why it cannot be shown: nobody else who hears of a change may suffer from that. */
function textOf(view: View, object: Stored, withColumns: boolean): string | StatusError {
  try {
    return objectText(view, object, withColumns);
  } catch (why) {
    return statusOf(why);
  }
}

interface Start {
  readonly objects: readonly Stored[];
  readonly changes: readonly Change[];
  readonly selection: Selection | null;
  readonly view: View;
  /** Changes up to this version are not sent, including those still to come. */
  readonly after: number;
}

function startOf(call: Call): Start | StatusError {
  const { store, type, query, namespace } = call;
  const asked = query.get('resourceVersion');
  const revision = revisionOf(asked);
  const selection = selectionOf(query, type);
  const view = viewOf(call);
  const common = { selection, view, after: revision };
  const initial = query.get('sendInitialEvents');
  if (isTrue(initial) || (initial === null && revision === 0))
    return { objects: selected(store, { bucket: type.bucket, namespace }, selection), changes: [], ...common };
  if (asked === null || asked === '') return { objects: [], changes: [], ...common };
  const changes = store.changesAfter(type.bucket, revision);
  if (changes === null) return expired(`too old resource version: ${revision} (${store.revision()})`);
  return { objects: [], changes, ...common };
}

function open(call: Call, { objects, changes, selection, view, after }: Start, response: ServerResponse): void {
  const { store, type, query, namespace, held, sender } = call;
  let withColumns = true;
  let corked = false;
  const concerns = (object: Stored) => namespace === '' || object.metadata.namespace === namespace;

  function write(line: string) {
    if (response.writableEnded) return;
    if (!corked) {
      corked = true;
      response.cork();
      // What one flush of the store changed leaves in one piece.
      process.nextTick(() => {
        corked = false;
        response.uncork();
        if (response.writableLength > muchUnsent) held.check(sender);
      });
    }
    response.write(line);
    if (response.writableLength > mostUnsent) response.destroy();
  }

  function send(event: EventType, object: Stored) {
    const text = textOf(view, object, withColumns);
    if (text instanceof StatusError) return void response.end(errorLine(text));
    write(`{"type":"${event}","object":${text}}\n`);
    withColumns = false;
  }

  function bookmark(metadata: object = {}) {
    const resourceVersion = String(store.revision());
    const object = {
      kind: type.kind,
      apiVersion: groupVersion(type),
      metadata: {
        resourceVersion,
        // A kind that is known as it is built says of every field that there is none.
        ...(type.custom === undefined && view.form === 'object' && { creationTimestamp: null }),
        ...metadata,
      },
    };
    write(`${JSON.stringify({ type: 'BOOKMARK', object: inForm(view, object, resourceVersion) })}\n`);
  }

  function hear(change: Change) {
    if (change.bucket !== type.bucket || !concerns(change.object)) return;
    if (Number(change.object.metadata.resourceVersion) <= after) return;
    const heard = selectedChange(change, selection);
    if (heard) send(heard.type, heard.object);
  }

  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  objects.filter(concerns).forEach((object) => send('ADDED', object));
  changes.forEach(hear);
  const bookmarks = isTrue(query.get('allowWatchBookmarks'));
  if (bookmarks && isTrue(query.get('sendInitialEvents'))) bookmark(initialEventsEnd);
  const forget = store.onChange(hear);
  const endBookmarks = bookmarks && hasBookmarks(type) ? beat(() => bookmark()) : null;
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || defaultTimeoutSeconds;
  const end = setTimeout(() => response.end(), Math.min(seconds * 1000, 0x7fffffff));
  response.once('close', () => {
    forget();
    endBookmarks?.();
    clearTimeout(end);
  });
}

function inForm({ form, version, type }: View, object: Bare, resourceVersion: string): object {
  if (form === 'object') return object;
  const bare = { ...object, kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}` };
  return form === 'table' ? bookmarkTable(type, bare, { version, resourceVersion }) : bare;
}

interface Bare {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
}
