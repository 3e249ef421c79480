import { Cause, Effect, Queue, Stream } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import { authSecret } from '../../http/auth/directory.ts';
import { systemNamespace } from '../../crds/names.ts';
import {
  Unavailable,
  type ClusterShape,
  type Gone,
  Refused,
  type Resource,
  type Watched,
} from '../../runtime/services/cluster/cluster.ts';
import { memoryCluster } from '../support/memoryCluster.ts';

/** How long a request waits for an answer. */
const answerWithinMs = 30_000;
const noSuchKind = new Refused({ status: 404, message: 'the API serves no such kind' });
const user: KubeObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: authSecret, namespace: systemNamespace, uid: 'u', resourceVersion: '1' },
};
type Failure = Refused | Unavailable | Gone;

/** A Kubernetes API in which nothing changes, and which sends no bookmark. */
export interface QuietApi {
  readonly cluster: ClusterShape;
  /** Its requests are not answered from now on; those of before never are. */
  readonly silent: (is: boolean) => void;
  readonly define: (name: string, is: boolean) => void;
}

interface Watch {
  readonly resource: Resource;
  readonly queue: Queue.Queue<Watched<KubeObject>, Failure | Cause.Done>;
}

const definitionNameOf = ({ group, plural }: Pick<Resource, 'group' | 'plural'>) => `${plural}.${group}`;
const builtIn = (group: string) => !group.includes('.') || group.endsWith('.k8s.io');

/** Only the built-in kinds and those of these definitions are served. */
export function quietApi(defined: readonly string[]): QuietApi {
  const definitions = new Set(defined);
  const watches = new Set<Watch>();
  let isSilent = false;
  let version = 1;
  const unanswered = Effect.andThen(
    Effect.sleep(answerWithinMs),
    Effect.fail(new Unavailable({ message: 'no answer' })),
  );
  const asked = <A>(resource: Resource, answer: () => A): Effect.Effect<A, Failure> =>
    Effect.suspend((): Effect.Effect<A, Failure> => {
      if (isSilent) return unanswered;
      const isServed = builtIn(resource.group) || definitions.has(definitionNameOf(resource));
      return isServed ? Effect.sync(answer) : Effect.fail(noSuchKind);
    });
  const definitionOf = (name: string): KubeObject => ({
    metadata: { name, uid: name, resourceVersion: String(version) },
  });
  const itemsOf = ({ plural }: Resource, field = ''): readonly KubeObject[] => {
    if (plural === secrets.plural) return [user];
    if (plural !== 'customresourcedefinitions') return [];
    const [, named] = field.split('=');
    return [...definitions].filter((name) => named === undefined || name === named).map(definitionOf);
  };
  return {
    cluster: {
      ...memoryCluster(),
      list: (resource, options) =>
        asked(resource, () => ({
          items: itemsOf(resource, options?.fieldSelector) as never,
          resourceVersion: String(version),
        })),
      watch: (resource, { silenceMs, opened = Effect.void }) =>
        Stream.callback<Watched<KubeObject>, Failure>((queue) =>
          Effect.gen(function* () {
            yield* asked(resource, () => null);
            yield* opened;
            watches.add({ resource, queue });
            yield* Effect.sleep(silenceMs);
            return yield* Effect.fail(new Unavailable({ message: 'silent' }));
          }),
        ) as never,
    },
    silent: (is) => {
      isSilent = is;
    },
    define: (name, is) => {
      version += 1;
      if (is) definitions.add(name);
      else definitions.delete(name);
      const object = definitionOf(name);
      for (const { resource, queue } of watches)
        if (resource.cached?.fieldSelector === `metadata.name=${name}`)
          Queue.offerUnsafe(queue, { type: is ? 'added' : 'deleted', object });
        else if (definitionNameOf(resource) === name) Queue.failCauseUnsafe(queue, Cause.fail(noSuchKind));
    },
  };
}
