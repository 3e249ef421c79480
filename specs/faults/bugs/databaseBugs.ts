import { Effect } from 'effect';
import { loginWith } from '../../../rules/database/connection.ts';
import { bootstrapSecret } from '../../../rules/database/secrets.ts';
import * as postgres from '../../../rules/database/postgres.ts';
import * as sqlite from '../../../rules/database/sqlite.ts';
import * as running from '../../../rules/draftDeploy/running.ts';
import * as stored from '../../../rules/draftDeploy/stored.ts';
import { appliedObject, ownerOf } from '../../../rules/owned/ownedObject.ts';
import * as weight from '../../../rules/provision/weight.ts';
import * as outcome from '../../../rules/provisionRetry/outcome.ts';
import * as asked from '../../../runtime/controllers/database/ask.ts';
import * as login from '../../../runtime/controllers/database/owned/login.ts';
import * as operator from '../../../runtime/controllers/database/actions/operator.ts';
import * as pieces from '../../../runtime/controllers/database/owned.ts';
import * as provisioned from '../../../runtime/controllers/database/lifecycle.ts';
import * as runs from '../../../runtime/controllers/database/observe/runs.ts';
import * as spec from '../../../runtime/controllers/database/observe/settled.ts';
import * as observe from '../../../runtime/controllers/database/observe.ts';
import * as volumes from '../../../runtime/controllers/database/owned/volumes.ts';
import * as ensures from '../../../runtime/controllers/provisioned/ensures.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { Passwords } from '../../../runtime/services/passwords.ts';
import { type Bug, replaced } from './bug.ts';
import { withController, without } from './decorators.ts';
import { holds } from '../../../runtime/contract/ensure.ts';

/** A controller without one of its parts. */
const lacking = (controller: Controller, part: 'finalizer' | 'absent'): Controller =>
  without(part)(controller) as Controller;

type Shown = Bug & { readonly plan: string };

/** Bugs of databases, each with the plan that shows it. */
export const databaseBugs: readonly Shown[] = [
  {
    name: 'password renewed on a stale view',
    family: 'stale view',
    text: 'a password that the cache does not show is drawn again, and written over the one that stands',
    plan: 'database / Postgres is deployed / lags of=secrets',
    plant: replaced(login, 'settledLogin', () =>
      Effect.fnUntraced(function* (database, given, reader) {
        const cached = login.loginOf(database, given, reader);
        if (cached !== null) return cached;
        const password = yield* (yield* Passwords).draw;
        const cluster = yield* Cluster;
        const secret = appliedObject(bootstrapSecret(database, given, password), ownerOf('CoreDatabase', database));
        const live = yield* cluster
          .get(owned.secrets, secret.metadata)
          .pipe(Effect.catchTag('NotFound', () => Effect.succeed(undefined)));
        yield* cluster.apply(owned.secrets, secret, live ? { uid: live.metadata.uid ?? '' } : 'nothing');
        return loginWith(given.engine, password);
      }),
    ),
  },
  {
    name: 'saved change runs',
    family: 'wrong rule',
    text: 'a change of a database that waits for a deploy runs at once',
    plan: 'database / a change waits',
    plant: replaced(running, 'runningSpec', (original) => (state, object) => original(state, object) && object.spec),
  },
  {
    name: 'connection not put back',
    family: 'recovery',
    text: 'a connection Secret that was deleted stays away',
    plan: 'database / a draft is deployed / hand does=the_connection_is_deleted in=Ready',
    plant: replaced(observe, 'observeDatabase', (original) => (...given) => ({
      ...original(...given),
      connected: true,
    })),
  },
  {
    name: 'failing pods taken for running',
    family: 'wrong rule',
    text: 'a server counts as running once it was applied',
    plan: 'database / its pod fails',
    plant: replaced(runs, 'runsOf', () => () => ({ chart: 'none', pods: 'running' })),
  },
  {
    name: 'deploy not taken up',
    family: 'wrong rule',
    text: 'another deploy of a database is not noticed',
    plan: 'database / a draft is deployed',
    plant: replaced(stored, 'revisionOf', () => () => ''),
  },
  {
    name: 'volume not grown',
    family: 'wrong rule',
    text: 'a size that was deployed is not asked for',
    plan: 'database / a change waits and is deployed',
    plant: replaced(
      sqlite,
      'sqliteObjects',
      (original) => (database, wanted, settled) => original(database, { ...wanted, storageSize: '1Gi' }, settled),
    ),
  },
  {
    name: 'leftovers not looked for',
    family: 'stale view',
    text: 'a deleted database goes without a direct read of what is left of it',
    plan: 'database / MySQL is deleted',
    plant: replaced(asked, 'remainingOf', () => () => Effect.succeed([])),
  },
  {
    name: 'password for a host',
    family: 'secret shown',
    text: 'the status tells the password of a database',
    plan: 'database / Postgres is deployed',
    plant: replaced(
      login,
      'reachedAt',
      (original) => (database, given, reader) =>
        login.loginOf(database, given, reader)?.password ?? original(database, given, reader),
    ),
  },
  {
    name: 'failures only waited for',
    family: 'wrong rule',
    text: 'a failure of a database counts for nothing',
    plan: 'database / its pod fails',
    plant: replaced(outcome, 'outcomeBy', (original) => (table, facts) => {
      const found = original(table, facts);
      return found.is === 'failed' ? { ...found, counts: 'waiting' } : found;
    }),
  },
  {
    name: 'given up at the first refusal',
    family: 'wrong rule',
    text: 'a write that fails for a while ends the provisioning for good',
    plan: 'database / a draft is deployed / refuse with=500 at=8 for=1 on=write',
    plant: replaced(weight, 'retryOf', () => () => 'permanent'),
  },
  {
    name: 'nothing settled',
    family: 'wrong rule',
    text: 'storage class and nodes of a database are not kept',
    plan: 'database / a draft is deployed',
    plant: replaced(spec, 'settling', () => () => null),
  },
  {
    name: 'operator awaited',
    family: 'wrong rule',
    text: 'nobody installs the operator for Postgres',
    plan: 'database / Postgres is deployed',
    plant: replaced(operator, 'installOperator', () => () => Effect.void),
  },
  {
    name: 'Ready by all instances',
    family: 'wrong rule',
    text: 'a Postgres database that serves waits for every instance to be Ready',
    plan: 'database / Postgres waits for one more instance while its primary serves',
    plant: replaced(
      postgres,
      'postgresRuns',
      (original) => (server, around) => original(server, { ...around, served: false }),
    ),
  },
  {
    name: 'a claim that is going counts',
    family: 'wrong rule',
    text: 'the volume of a stopped server that is still being removed counts as a lost password',
    plan: 'database / Postgres is stopped, and deployed while its volume is still being removed',
    plant: replaced(volumes, 'removedVolumes', () => () => Effect.void),
  },
  {
    name: 'claims of a chart left',
    family: 'wrong rule',
    text: 'the volumes of a deleted MySQL database stay',
    plan: 'database / MySQL is deleted',
    plant: replaced(volumes, 'removeClaims', () => () => Effect.void),
  },
  {
    name: 'claims deleted by a stop',
    family: 'wrong rule',
    text: 'a stopped MySQL database loses its volume',
    plan: 'database / MySQL is stopped',
    plant: replaced(provisioned, 'withoutClaims', () => (ensure) => ({
      ...ensure,
      run: (given) => {
        const removing = volumes.removeClaims(given.object, given.reader);
        return Effect.tap(ensure.run(given), () => Effect.catchTag(removing, 'Gone', () => Effect.void));
      },
    })),
  },
  {
    name: 'password of a stopped MySQL lost',
    family: 'wrong rule',
    text: 'a stop deletes the only password that the volume knows',
    plan: 'database / MySQL is stopped',
    plant: replaced(pieces, 'isKeptPassword', () => () => false),
  },
  {
    name: 'database without a finalizer',
    family: 'wrong rule',
    text: 'a deleted database goes at once, and leaves what it ran on',
    plan: 'database / it is deleted',
    plant: withController('CoreDatabase', (controller) => lacking(controller, 'finalizer')),
  },
  {
    name: 'late leftovers of a database stay',
    family: 'un-fenced leader',
    text: 'what a leader that stood still wrote after the end of a database is not removed',
    plan: 'database / it is deleted / standBy / stands at=8 when=before ms=240000',
    plant: withController('CoreDatabase', (controller) => lacking(controller, 'absent')),
  },
  {
    name: 'workload never ensured gone',
    family: 'status before effect',
    text: 'a stopped database runs on where removing it failed',
    plan: 'database / it is stopped',
    plant: replaced(ensures, 'noWorkload', () => () => ({ run: () => Effect.succeed(holds) })),
  },
];
