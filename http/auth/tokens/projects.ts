import { Effect, Result } from 'effect';
import type { Secret } from '../../../crds/builtIn.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import type { HasTokens } from '../../../runtime/controllers/project/read.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import { type Controller, controller, watching } from '../../../runtime/contract/controller.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { Cluster, type ReadError } from '../../../runtime/services/cluster/cluster.ts';
import { writeSecret } from '../../../runtime/services/secret.ts';
import { hasEnvironment } from '../../routes/projects/liveProject.ts';
import type { Log } from '../../log.ts';
import { losesHash } from './lifecycle.ts';
import {
  auditOf,
  belongsTo,
  type Deletion,
  deletionText,
  type TokenRecord,
  tokenSecret,
  tokensOf,
  withoutTokens,
} from './records.ts';
import { type Ensured, type EnsureError, type Ensuring, holds } from '../../../runtime/contract/ensure.ts';
import { isDeleting } from '../../../rules/deleting.ts';
import { find } from '../../../runtime/services/cluster/find.ts';

interface ProjectTokensParts {
  readonly now: () => number;
  readonly log: Log;
}

/** Revokes the tokens of deleted projects and environments, including those that were deleted while no leader ran. */
export const projectTokensController = (parts: ProjectTokensParts): Controller =>
  controller<Secret>({
    resource: secrets,
    name: 'projectTokens',
    owns: (name) => name === tokenSecret,
    expects: [tokenSecret],
    lifecycles: [],
    watches: [
      watching({
        resource: projects,
        reads: ({ metadata, spec }) => [metadata.deletionTimestamp, spec.environments],
        concerns: ({ metadata }, reader) =>
          byProject(reader.get(secrets, tokenSecret)).has(metadata.name) ? [tokenSecret] : [],
      }),
    ],
    ensures: { ofStandingEnvironments: { run: (given) => revokeOfGone(given, parts) } },
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
 * The deletion that a token of a project ends by; null while project and environment stand. What is being deleted never
 * comes back, however long that takes.
 */
function deletionOf({ scope, ...record }: TokenRecord, project: CoreProject | undefined): Deletion | null {
  if (scope === null) return null;
  const isLive = project !== undefined && !isDeleting(project);
  if (!isLive || !belongsTo({ scope, ...record }, project)) return { is: 'deleteProject', project: scope.project };
  return hasEnvironment(project, scope.environment) ? null : { is: 'deleteEnvironment', ...scope };
}

/** Reads the API directly, because a cache may lag. */
const stored = (name: string): Effect.Effect<CoreProject | null, ReadError, Cluster> => find(projects, { name });

const revokeOfGone = Effect.fnUntraced(function* (
  { object, reader }: Ensuring<Secret>,
  { now, log }: ProjectTokensParts,
): Effect.fn.Return<Ensured, EnsureError, Cluster> {
  const gone: { readonly record: TokenRecord; readonly deletion: Deletion }[] = [];
  let failure: ReadError | null = null;
  for (const [name, tokens] of byProject(object)) {
    if (tokens.every((one) => deletionOf(one, reader.get(projects, name)) === null)) continue;
    const found = yield* Effect.result(stored(name));
    // A failed read of one project does not stop the revocation of tokens of another.
    if (Result.isFailure(found)) failure = found.failure;
    else
      for (const record of tokens) {
        const deletion = deletionOf(record, found.success ?? undefined);
        if (deletion !== null && losesHash(record, deletion, now())) gone.push({ record, deletion });
      }
  }
  if (gone.length > 0) yield* writeSecret(tokenSecret, object, withoutTokens(gone.map(({ record }) => record)));
  for (const { record, deletion } of gone) log('info', 'revoked API token', auditOf(record, deletionText[deletion.is]));
  return failure === null ? holds : yield* Effect.fail(failure);
});
