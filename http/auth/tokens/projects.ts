import { Effect, Result } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { projects } from '../../../runtime/kinds.ts';
import { secrets } from '../../../runtime/resources.ts';
import { Cluster } from '../../../runtime/services/cluster.ts';
import { why } from '../../../runtime/services/why.ts';
import type { Serving } from '../../serving.ts';
import { tokenSecret, tokensOf } from './records.ts';
import type { GoneProject, TokenRevoking } from './revoke.ts';

const againMs = 10_000;

/**
 * Revokes the tokens of projects that are deleted, and of those that were while nobody looked. Every replica does it:
 * whoever comes second finds nothing to do. Returns what ends it.
 */
export function followProjects(
  { operator, run, log }: Serving,
  revokeOfProject: TokenRevoking['revokeOfProject'],
): () => void {
  const { caches } = operator;
  const gone = new Set<GoneProject>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const later = (reason: string) => {
    log('warn', 'the API tokens of a deleted project were not revoked yet', { why: reason });
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void revokeAll(), againMs).unref();
  };
  const revokeAll = async () => {
    for (const project of gone) {
      const done = await run(revokeOfProject(project)).catch((error: unknown) => Result.fail({ _tag: String(error) }));
      if (Result.isFailure(done)) return later(why(done.failure));
      gone.delete(project);
    }
  };
  const revoke = (project: GoneProject) => {
    gone.add(project);
    void revokeAll();
  };

  const forget = caches.of(projects).onChange(({ type, object: { metadata } }) => {
    // One that is being deleted never comes back, however long its end takes.
    if (type === 'deleted' || isEnding(metadata)) revoke({ name: metadata.name, uid: metadata.uid ?? null });
  });
  const isThere = (name: string) =>
    Effect.flatMap(Cluster, (cluster) => cluster.get(projects, { name })).pipe(
      Effect.as(true),
      // Only the API's own word that there is none is taken for it: a cache may be late.
      Effect.catch(({ _tag }) => Effect.succeed(_tag !== 'NotFound')),
    );
  const lookBack = Effect.gen(function* () {
    yield* operator.ready;
    const tokens = [...tokensOf(caches.get(secrets, tokenSecret)).values()];
    const names = new Set(tokens.flatMap(({ scope }) => scope?.project ?? []));
    for (const name of names) {
      const known = caches.get(projects, name);
      if (known && isEnding(known.metadata)) revoke({ name, uid: known.metadata.uid ?? null });
      if (!known && !(yield* isThere(name))) revoke({ name, uid: null });
    }
  });
  void run(lookBack).catch((error: unknown) => {
    log('error', 'whether projects of API tokens still stand is not known', { cause: String(error) });
  });

  return () => {
    isStopped = true;
    clearTimeout(timer);
    forget();
  };
}

const isEnding = ({ deletionTimestamp }: KubeObject['metadata']): boolean => deletionTimestamp !== undefined;
