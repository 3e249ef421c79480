import { Effect } from 'effect';
import { eachOf } from '../../../contract/eachOf.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import { annotation, label, managedBy } from '../../../../crds/names.ts';
import { isOf } from '../../../../rules/owned/ownedObject.ts';
import { deletionAsked, environmentDeleted, environmentsGoing } from '../../../../rules/project/deletion.ts';
import { environmentLabels, namespaceOf } from '../../../../rules/project/environment.ts';
import { isMade } from '../../../../rules/project/namespace.ts';
import { secretPrefixOf, sharedSecretOf, variablesRemoved } from '../../../../rules/project/shared.ts';
import { projects } from '../../../services/cluster/kinds.ts';
import { done, type Ensure, type Ensured, type EnsureError, type Ensuring, holds } from '../../../contract/ensure.ts';
import { namespaces } from '../../../services/cluster/resources.ts';
import { asSeen, Cluster, type Resource } from '../../../services/cluster/cluster.ts';
import { readSecret, writeSecret } from '../../../services/secret.ts';
import { emptied, environmentContents, heldBy, listAll } from '../observe/contents.ts';
import type { EndedEnvironments } from '../controller/late.ts';
import { foundOf, readNamespace } from '../ask.ts';
import { environmentKinds } from '../owned.ts';

/** A change triggers the next pass; this covers a missed one. */
const waits: Ensured = { is: 'waits', afterMs: 30_000 };

type Step = Effect.Effect<Ensured, EnsureError, Cluster>;

/**
 * Carries out the deletions that a live project requests: its own, which a crash may have prevented, or those of
 * environments. Each pass does the next step.
 */
export const askedDeletions = (ended: EndedEnvironments): Ensure<CoreProject> => ({
  run: (given) =>
    Effect.gen(function* (): Effect.fn.Return<Ensured, EnsureError, Cluster> {
      const { object: project, reader } = given;
      if (deletionAsked(project).everything) return yield* removedItself(project);
      const [environment] = environmentsGoing(project);
      if (environment !== undefined) return yield* removedEnvironment(given, environment, ended);
      const [late] = ended.late(project, reader);
      if (late === undefined) return holds;
      const standing = yield* readNamespace(late.metadata.name);
      return standing?.metadata.uid === late.metadata.uid ? yield* removedNamespace(late) : waits;
    }),
});

const removedItself = ({ metadata: { name, uid } }: CoreProject): Step =>
  Effect.flatMap(Cluster, (cluster) => cluster.remove(projects, { name }, uid === undefined ? {} : { uid })).pipe(
    Effect.as(waits),
  );

/** Removes variables and their values, then workloads, then the namespace; the list entry last. */
const removedEnvironment = Effect.fnUntraced(function* (
  { object: project, reader }: Ensuring<CoreProject>,
  environment: string,
  ended: EndedEnvironments,
): Effect.fn.Return<Ensured, EnsureError, Cluster> {
  const variables = variablesRemoved(project, environment);
  if (variables !== null) return yield* patched(project, variables);
  if (yield* forgotValues(project, environment)) return done;
  if (!(yield* emptied(environmentContents, reader, heldBy(project, environment)))) return waits;
  const namespace = yield* readNamespace(namespaceOf(project.metadata.name, environment));
  const is = foundOf(project, namespace);
  if (is === 'ending') return waits;
  if (namespace !== undefined && is === 'own') {
    if (isMade(namespace)) return yield* removedNamespace(namespace);
    return (yield* cleared(project, namespace.metadata.name)) ? yield* released(project, namespace, environment) : done;
  }
  // While the cache attributes it to the project, an unlisted namespace is maintained.
  if (foundOf(project, reader.get(namespaces, namespaceOf(project.metadata.name, environment))) === 'own') return waits;
  ended.add(project, environment);
  return yield* patched(project, environmentDeleted(project, environment));
});

/** The change of the project itself triggers the next pass. */
const patched = ({ metadata }: CoreProject, patch: object): Step =>
  Effect.flatMap(Cluster, (cluster) =>
    cluster.patch(projects, { name: metadata.name }, patch, asSeen({ metadata })),
  ).pipe(Effect.as(waits));

/** Removes secret values of the environment from the project's Secret; returns whether there were any. */
const forgotValues = Effect.fnUntraced(function* ({ metadata }: CoreProject, environment: string) {
  const name = sharedSecretOf(metadata.name);
  const secret = yield* readSecret(name);
  const keys = Object.keys(secret?.data ?? {}).filter((key) => key.startsWith(secretPrefixOf(environment)));
  if (secret === undefined || keys.length === 0) return false;
  yield* writeSecret(name, secret, Object.fromEntries(keys.map((key) => [key, null])));
  return true;
});

const removedNamespace = (namespace: KubeObject): Step =>
  Effect.flatMap(Cluster, (cluster) =>
    cluster.remove(namespaces, { name: namespace.metadata.name }, asSeen(namespace)),
  ).pipe(Effect.as(waits));

/**
 * Deletes what was written into a preexisting namespace, kind by kind; returns whether nothing is left. Reads directly,
 * because nothing can be removed later, without the binding.
 */
const cleared = Effect.fnUntraced(function* ({ metadata: { name } }: CoreProject, namespace: string) {
  const cluster = yield* Cluster;
  for (const resource of environmentKinds) {
    const labelSelector = `${label.managedBy}=${managedBy}`;
    const found: readonly KubeObject[] = yield* listAll(resource as Resource, { namespace, labelSelector });
    const own = found.filter((one) => isOf(one, { kind: projects.kind, name }));
    yield* eachOf(own, (one) => cluster.remove(resource, { name: one.metadata.name, namespace }, asSeen(one)));
    if (own.length > 0) return false;
  }
  return true;
});

/** Releases a preexisting namespace: removes its project labels and keeps it. */
const released = ({ metadata: { name: project } }: CoreProject, namespace: KubeObject, environment: string): Step => {
  const names = Object.keys(environmentLabels({ project, environment, cluster: '' }));
  const labels = Object.fromEntries(names.map((name) => [name, null]));
  const patch = { metadata: { labels, annotations: { [annotation.requiredTags]: null } } };
  return Effect.flatMap(Cluster, (cluster) =>
    cluster.patch(namespaces, { name: namespace.metadata.name }, patch, asSeen(namespace)),
  ).pipe(Effect.as(done));
};
