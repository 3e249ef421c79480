import { Effect, Result } from 'effect';
import type { Secret } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import type { HasTokens } from '../../../runtime/controllers/project/release.ts';
import { projects } from '../../../runtime/kinds.ts';
import {
  type Controller,
  controller,
  type Ensured,
  type EnsureError,
  type Ensuring,
  holds,
  watching,
} from '../../../runtime/lifecycle.ts';
import { secrets } from '../../../runtime/resources.ts';
import { Cluster, type ReadError } from '../../../runtime/services/cluster.ts';
import { writeSecret } from '../../../runtime/services/secret.ts';
import type { Log } from '../../serving.ts';
import { losesHash } from './lifecycle.ts';
import {
  auditOf,
  belongsTo,
  projectDeletion,
  type TokenRecord,
  tokenSecret,
  tokensOf,
  withoutTokens,
} from './records.ts';

interface ProjectTokensParts {
  readonly now: () => number;
  readonly log: Log;
}

/** Revokes the tokens of deleted projects, including those that were deleted while no leader ran. */
export const projectTokensController = (parts: ProjectTokensParts): Controller =>
  controller<Secret>({
    resource: secrets,
    name: 'projectTokens',
    only: [tokenSecret],
    lifecycles: [],
    watches: [
      watching({
        resource: projects,
        concerns: ({ metadata }, reader) =>
          byProject(reader.get(secrets, tokenSecret)).has(metadata.name) ? [tokenSecret] : [],
      }),
    ],
    ensures: { ofStandingProjects: { run: (given) => revokeOfGone(given, parts) } },
  });

/** The tokens of projects, by project name. */
function byProject(secret: Secret | undefined): ReadonlyMap<string, readonly TokenRecord[]> {
  const found = new Map<string, TokenRecord[]>();
  for (const record of tokensOf(secret).values()) {
    const name = record.scope?.project;
    if (name !== undefined) found.set(name, [...(found.get(name) ?? []), record]);
  }
  return found;
}

/** Whether API tokens of a project are still to be revoked. */
export const hasProjectTokens: HasTokens = ({ metadata }, reader) =>
  byProject(reader.get(secrets, tokenSecret)).has(metadata.name);

/**
 * Whether the project of a token exists: one that is being deleted never comes back, however long its deletion takes.
 */
const isStanding = (record: TokenRecord, project: KubeObject | undefined): boolean =>
  project !== undefined && project.metadata.deletionTimestamp === undefined && belongsTo(record, project);

/** Reads the API directly, because a cache may lag. */
const stored = (name: string): Effect.Effect<KubeObject | undefined, ReadError, Cluster> =>
  Effect.flatMap(Cluster, (cluster) => cluster.get(projects, { name })).pipe(
    Effect.catchTag('NotFound', () => Effect.succeed(undefined)),
  );

const revokeOfGone = Effect.fnUntraced(function* (
  { object, reader }: Ensuring<Secret>,
  { now, log }: ProjectTokensParts,
): Effect.fn.Return<Ensured, EnsureError, Cluster> {
  const gone: TokenRecord[] = [];
  let failure: ReadError | null = null;
  for (const [name, tokens] of byProject(object)) {
    if (tokens.every((one) => isStanding(one, reader.get(projects, name)))) continue;
    const found = yield* Effect.result(stored(name));
    // A failed read of one project does not stop the revocation of tokens of another.
    if (Result.isFailure(found)) failure = found.failure;
    else gone.push(...tokens.filter((one) => !isStanding(one, found.success) && losesHash(one, name, now())));
  }
  if (gone.length > 0) yield* writeSecret(tokenSecret, object, withoutTokens(gone));
  for (const record of gone) log('info', 'Revoked an API token', auditOf(record, projectDeletion));
  return failure === null ? holds : yield* Effect.fail(failure);
});
