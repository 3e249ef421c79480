import { Exit } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { Unavailable, type Resource, type Watched } from '../cluster/cluster.ts';
import { type Failure, failureOfStatus, type Status } from './failure.ts';
import type { SharedParser } from './sharedParser.ts';
import { withType } from './typeMeta.ts';

type WatchLine<O> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: O }
  | { readonly type: 'BOOKMARK'; readonly object: KubeObject }
  | { readonly type: 'ERROR'; readonly object: Status };

const types = { ADDED: 'added', MODIFIED: 'modified', DELETED: 'deleted' } as const;

/** The start of a line with an object, after which only the object and one brace follow. */
const begins = Object.values(types).map((type) => ({ type, start: `{"type":"${type.toUpperCase()}","object":` }));

/** Parses a line of a watch; null for an empty one. */
export function watchedIn<O extends KubeObject>(
  resource: Resource<O>,
  line: string,
  parsed: SharedParser,
): Exit.Exit<Watched<O>, Failure> | null {
  if (line === '') return null;
  const begun = begins.find(({ start }) => line.startsWith(start));
  try {
    if (begun)
      return Exit.succeed({
        type: begun.type,
        object: withType(resource, parsed.object(line.slice(begun.start.length, -1)) as O),
      });
    return readWhole(resource, JSON.parse(line) as WatchLine<O>);
  } catch {
    return Exit.fail(new Unavailable({ message: 'the watch sent a line that is no JSON' }));
  }
}

/** Parses a line of another form, or without an object of the kind. */
function readWhole<O extends KubeObject>(resource: Resource<O>, line: WatchLine<O>): Exit.Exit<Watched<O>, Failure> {
  switch (line.type) {
    case 'ERROR':
      return Exit.fail(failureOfStatus(line.object.code ?? 500, line.object));
    case 'BOOKMARK':
      return Exit.succeed({ type: 'bookmark', resourceVersion: line.object.metadata.resourceVersion ?? '0' });
    default:
      return Exit.succeed({ type: types[line.type], object: withType(resource, line.object) });
  }
}
