import { Effect } from 'effect';
import { logicalLoginSecret } from '../../../rules/logicalDatabase/secrets.ts';
import { appliedObject, ownerOf } from '../../../rules/owned/ownedObject.ts';
import * as finalizer from '../../../runtime/controllers/logicalDatabase/controller/finalizer.ts';
import * as jobs from '../../../runtime/controllers/logicalDatabase/owned/jobs.ts';
import * as login from '../../../runtime/controllers/logicalDatabase/owned/login.ts';
import * as server from '../../../runtime/controllers/logicalDatabase/observe/server.ts';
import * as observe from '../../../runtime/controllers/logicalDatabase/observe.ts';
import * as sweep from '../../../runtime/controllers/logicalDatabase/controller/sweep.ts';
import { holds } from '../../../runtime/contract/ensure.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import { Passwords } from '../../../runtime/services/passwords.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of logical databases, each with the plan that shows it. */
export const logicalDatabaseBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'second login',
    family: 'effect twice',
    text: 'every creation draws a password of its own, and writes it over the one that stands',
    plan: 'logicalDatabase / shared',
    plant: replaced(login, 'settledLogin', () =>
      Effect.fnUntraced(function* (logical, placed) {
        const password = yield* (yield* Passwords).draw;
        const drawn = { username: placed.login, password };
        const secret = appliedObject(
          logicalLoginSecret(logical, placed.server, drawn),
          ownerOf('CoreLogicalDatabase', logical),
        );
        const cluster = yield* Cluster;
        const live = yield* cluster
          .get(owned.secrets, secret.metadata)
          .pipe(Effect.catchTag('NotFound', () => Effect.succeed(undefined)));
        yield* cluster
          .apply(owned.secrets, secret, live ? { uid: live.metadata.uid ?? '' } : 'nothing')
          .pipe(Effect.catchTag('Conflict', () => Effect.void));
        return drawn;
      }),
    ),
  },
  {
    name: 'dropped while it is created',
    family: 'wrong rule',
    text: 'a database is dropped while the Job that creates it may still run',
    plan: 'logicalDatabase / shared / dies at=12 when=before',
    plant: replaced(jobs, 'isCreateJobLeft', () => () => Effect.succeed(false)),
  },
  {
    name: 'Job of an earlier attempt adopted',
    family: 'run not compared',
    text: 'a Job is taken for that of this attempt, whatever attempt it was made for',
    plan: 'logicalDatabase / retried with success',
    plant: replaced(jobs, 'isOfRun', () => () => true),
  },
  {
    name: 'drop Job left',
    family: 'swallowed error',
    text: 'the Jobs of a database that was dropped stay',
    plan: 'logicalDatabase / shared / conflict at=18 for=3',
    plant: replaced(jobs, 'removeJobs', () => () => Effect.void),
  },
  {
    name: 'nothing dropped',
    family: 'wrong rule',
    text: 'a database on a shared server has no finalizer',
    plan: 'logicalDatabase / shared',
    plant: replaced(finalizer, 'isDroppedWithIt', () => () => false),
  },
  {
    name: 'own server emptied',
    family: 'wrong rule',
    text: "a database on a project's own server is dropped with its object",
    plan: 'logicalDatabase / own and deleted',
    plant: replaced(server, 'placedOn', (original) => (logical, reader) => {
      const placed = original(logical, reader);
      return placed && { ...placed, owner: 'shared' };
    }),
  },
  {
    name: 'connection taken for written',
    family: 'recovery',
    text: 'a connection Secret that was deleted stays away',
    plan: 'logicalDatabase / shared',
    plant: replaced(observe, 'observeLogicalDatabase', (original) => (...given) => ({
      ...original(...given),
      connected: true,
    })),
  },
  {
    name: 'Jobs of other runs kept',
    family: 'un-fenced leader',
    text: 'a Job that was created late for a run that is over stays',
    plan: 'logicalDatabase / retried',
    plant: replaced(jobs, 'noOtherJob', () => () => Effect.succeed(holds)),
  },
  {
    name: 'late leftovers of a dropped database stay',
    family: 'un-fenced leader',
    text: 'what a leader that stood still wrote after the end of a logical database is not removed',
    plan: 'logicalDatabase / shared / standBy / stands at=9 when=before ms=240000',
    plant: replaced(sweep, 'sweepLogical', () => () => Effect.void),
  },
];
