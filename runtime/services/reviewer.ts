import { Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { Unavailable, type ClusterShape, type Refused, type Resource } from './cluster/cluster.ts';

/** The cluster's decision about a client with a token that wants to read a path. */
export type Verdict =
  | { readonly is: 'allowed'; readonly user: string }
  | { readonly is: 'unknown' }
  | { readonly is: 'forbidden'; readonly user: string };

/** Lets the cluster decide who may read our non-resource paths. */
export interface Reviewer {
  readonly mayGet: (token: string, path: string) => Effect.Effect<Verdict, Refused | Unavailable>;
}

interface User {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
interface TokenReview extends KubeObject {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean; readonly user?: User };
}
interface AccessReview extends KubeObject {
  readonly spec: object;
  readonly status?: { readonly allowed?: boolean };
}

const review = <O extends KubeObject>(group: string, kind: string, plural: string): Resource<O> => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});
const tokenReviews = review<TokenReview>('authentication.k8s.io', 'TokenReview', 'tokenreviews');
const accessReviews = review<AccessReview>('authorization.k8s.io', 'SubjectAccessReview', 'subjectaccessreviews');

/** The head of every review; reviews are not stored, so they have no name. */
const headOf = ({ group, version, kind }: Resource) => ({
  apiVersion: `${group}/${version}`,
  kind,
  metadata: { name: '' },
});

/** Asks TokenReview whose token it is, and SubjectAccessReview what that user may do. */
export function clusterReviewer(cluster: Pick<ClusterShape, 'create'>): Reviewer {
  const ask = <O extends KubeObject>(resource: Resource<O>, review: O) =>
    cluster
      .create(resource, review)
      .pipe(Effect.catchTags({ NotFound: unserved, Conflict: unserved, AlreadyExists: unserved }));

  return {
    mayGet: Effect.fnUntraced(function* (token, path) {
      const { status } = yield* ask(tokenReviews, { ...headOf(tokenReviews), spec: { token } });
      const user = status?.user;
      if (status?.authenticated !== true || user?.username === undefined) return { is: 'unknown' };
      const { username, uid, groups, extra } = user;
      const spec = {
        nonResourceAttributes: { path, verb: 'get' },
        user: username,
        ...(uid !== undefined && { uid }),
        ...(groups !== undefined && { groups }),
        ...(extra !== undefined && { extra }),
      };
      const access = yield* ask(accessReviews, { ...headOf(accessReviews), spec });
      return { is: access.status?.allowed === true ? 'allowed' : 'forbidden', user: username };
    }),
  };
}

/** A Conflict or NotFound means that the API does not serve reviews. */
const unserved = ({ what }: { readonly what: string }) =>
  Effect.fail(new Unavailable({ message: `the cluster does not review: ${what}` }));
