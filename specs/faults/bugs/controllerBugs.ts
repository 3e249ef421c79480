import { Clock, Effect } from 'effect';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { isoTime } from '../../../rules/time.ts';
import { known } from '../../../rules/fact.ts';
import { type Ensure, holds } from '../../../runtime/contract/ensure.ts';
import { jobs, secrets } from '../../../runtime/services/cluster/resources.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { Cluster } from '../../../runtime/services/cluster/cluster.ts';
import type { Bug } from './bug.ts';
import { withBuild, withController, withEnsure, without, withWrites } from './decorators.ts';
import { hidden, sentence } from '../../../rules/words.ts';

const nothing = (ensure: Ensure<KubeObject>): Ensure<KubeObject> => ({ ...ensure, run: () => Effect.succeed(holds) });
const runs = (run: Ensure<KubeObject>['run']) => (): Ensure<KubeObject> => ({ run });

const token = (reader: CacheReader) => secretText(reader.get(secrets, 'host-token'), 'token');
const jobOf = (build: KubeObject, reader: CacheReader) => reader.get(jobs, `${build.metadata.name}-builder`);
const statusOf = (object: KubeObject) => (object as CoreBuild).status ?? {};

/** Bugs of one controller: in what it ensures, writes, observes or derives. */
export const controllerBugs: readonly Bug[] = [
  {
    name: 'cancelled Job runs on',
    family: 'ownership',
    text: 'the Job of a cancelled build is left',
    plant: withEnsure('noJob', nothing),
    on: /^cancelled by hand while it runs/,
  },
  {
    name: 'Job of another run is left',
    family: 'run not compared',
    text: 'a Job of an earlier run is not deleted',
    plant: withEnsure('noOtherJob', nothing),
    on: /^built again while it runs/,
  },
  {
    name: 'log never archived',
    family: 'lost requeue',
    text: 'the log of a build stays in its pod',
    plant: withEnsure('logArchived', nothing),
    on: /^the log is archived/,
  },
  {
    name: 'every Job that is cached goes',
    family: 'ownership',
    text: 'a Job that stands under the name of a build is deleted whosever it is',
    plant: withEnsure(
      'noOtherJob',
      runs(({ object, reader }) =>
        Effect.gen(function* () {
          const job = jobOf(object, reader);
          if (!job || statusOf(object).phase === 'Running') return holds;
          yield* (yield* Cluster).remove(jobs, { name: job.metadata.name }, { uid: job.metadata.uid ?? '' });
          return holds;
        }),
      ),
    ),
  },
  {
    name: 'ensure that is never content',
    family: 'hot loop',
    text: 'an ensure says each time that it has done something',
    plant: withEnsure(
      'noOtherJob',
      runs(() => Effect.succeed({ is: 'done' })),
    ),
  },
  {
    name: 'digest outlives its run',
    family: 'run not compared',
    text: 'what an earlier run pushed stays when a build starts over',
    plant: withWrites('startOver', without('imageDigest')),
    on: /^built again after it succeeded/,
  },
  {
    name: 'run outlives its build',
    family: 'run not compared',
    text: 'a build that starts over keeps the name of its run',
    plant: withWrites('startOver', without('startedAt')),
    on: /^built again while it runs/,
  },
  {
    name: 'reset keeps the run',
    family: 'run not compared',
    text: 'a reset by hand that left the run in place does not void it',
    plant: withWrites('voidRun', without('startedAt', 'imageDigest')),
    on: /^phase Cancelled|^reset by hand/,
    by: ['changed by hand'],
  },
  {
    name: 'cancel outlives its build',
    family: 'outside move',
    text: 'a build that starts over is cancelled once more',
    plant: withWrites('startOver', without('cancelRequested')),
    on: /^built again after it was cancelled/,
  },
  {
    name: 'run claimed without a name',
    family: 'effect before claim',
    text: 'the claim of a run does not write its name',
    plant: withWrites('claimRun', without('startedAt')),
  },
  {
    name: 'no time of completion',
    family: 'wrong arrow',
    text: 'a build that succeeded does not say when',
    plant: withWrites('succeed', without('completedAt')),
  },
  {
    name: 'status tells the time',
    family: 'hot loop',
    text: 'each pass writes when it was',
    plant: withController('CoreBuild', (controller) => ({
      ...controller,
      derive: (_, { now }) => ({ ciState: now }),
      ensures: { again: { run: () => Effect.succeed({ is: 'waits', afterMs: 5_000 }) } },
    })),
  },
  {
    name: 'status to and fro',
    family: 'hot loop',
    text: 'each pass writes the other of two words',
    plant: withController('CoreBuild', (controller) => ({
      ...controller,
      derive: (object) => ({ ciState: statusOf(object).ciState === 'pending' ? 'success' : 'pending' }),
      ensures: { again: { run: () => Effect.succeed({ is: 'waits', afterMs: 1_000 }) } },
    })),
  },
  {
    name: 'spec set right',
    family: 'outside move',
    text: 'the controller writes into the spec what it would rather read there',
    plant: withController('CoreBuild', (controller) => ({
      ...controller,
      ensures: {
        tidy: {
          run: ({ object }) =>
            Effect.gen(function* () {
              if ((object as CoreBuild).spec.cache) return holds;
              yield* (yield* Cluster).patch(
                controller.resource,
                { name: object.metadata.name },
                { spec: { cache: true } },
                { uid: object.metadata.uid ?? '' },
              );
              return holds;
            }),
        },
      },
    })),
  },
  {
    name: 'token in the status',
    family: 'secret shown',
    text: 'the token of the Git host stands in what a build says of its failure',
    plant: withController('CoreBuild', (controller) => ({
      ...controller,
      derive: (_, { reader }) => ({ failureReason: token(reader) === '' ? null : `refused: ${token(reader)}` }),
    })),
    on: /^the head of a branch/,
  },
  {
    name: 'token in an Event',
    family: 'secret shown',
    text: 'the token of the Git host stands in the words of a move',
    plant: withBuild((lifecycle) => {
      let seenToken = '';
      return {
        ...lifecycle,
        observe: (object, reader, input) => {
          seenToken = token(reader);
          return lifecycle.observe(object, reader, input);
        },
        rules: new Map(
          [...lifecycle.rules].map(([state, rules]) => [
            state,
            rules.map((rule) => ({
              ...rule,
              says: (facts) => sentence('{said} {token}', { said: rule.says(facts), token: hidden(seenToken) }),
            })),
          ]),
        ),
      };
    }),
    on: /^the head of a branch/,
  },
  {
    name: 'token in the log',
    family: 'secret shown',
    text: 'the token of the Git host is logged, as base64',
    plant: withController('CoreBuild', (controller) => ({
      ...controller,
      ensures: {
        told: {
          run: ({ reader }) =>
            Effect.as(
              Effect.logInfo('looked').pipe(
                Effect.annotateLogs({ secret: reader.get(secrets, 'host-token')?.data?.['token'] ?? '' }),
              ),
              holds,
            ),
        },
      },
    })),
    on: /^the head of a branch/,
  },
  {
    name: 'known moves of others unknown',
    family: 'outside move',
    text: 'a reset and a cancel by kubectl are told as moves outside the table',
    plant: withBuild((lifecycle) => ({
      ...lifecycle,
      rules: new Map(
        [...lifecycle.rules].map(([state, rules]) => [state, rules.filter(({ finds }) => finds !== true)]),
      ),
    })),
    on: /^reset by hand|^phase Cancelled/,
  },
  {
    name: 'cancelled is Pending',
    family: 'wrong rule',
    text: 'the state Cancelled is read as Pending',
    plant: withBuild((lifecycle) => ({
      ...lifecycle,
      read: (object) => (lifecycle.read(object) === 'Cancelled' ? 'Pending' : lifecycle.read(object)),
    })),
    on: /^cancelled by/,
  },
  {
    name: 'Job always fresh',
    family: 'stale view',
    text: 'a claimed run is taken for one that has no Job yet',
    unseen: 'no second Job of a name can be created, and the state demands that one of another run goes',
    plant: withBuild((lifecycle) => ({
      ...lifecycle,
      observe: (object, reader, input) => {
        const facts = lifecycle.observe(object, reader, input);
        return lifecycle.read(object) === 'Running' ? facts : { ...facts, job: known({ is: 'absent' }) };
      },
    })),
    on: /survived|^built again while it runs/,
  },
  {
    name: 'tries kept in memory',
    family: 'memory instead of state',
    text: 'a Job is not created again once this process has tried, whatever came of it',
    plant: withBuild((lifecycle) => {
      const tried = new Set<string>();
      const createJob = lifecycle.actions['createJob'];
      const create = createJob?.effect;
      return {
        ...lifecycle,
        actions: {
          ...lifecycle.actions,
          createJob: {
            ...createJob,
            effect: (acting) => {
              const { startedAt = '' } = statusOf(acting.object);
              if (!create || tried.has(startedAt ?? '')) return Effect.void;
              tried.add(startedAt ?? '');
              return create(acting);
            },
          },
        },
      };
    }),
    by: ['call refused'],
  },
  {
    name: 'run named by the wall clock',
    family: 'wall time',
    text: 'a run is named by the time at which its Job is created',
    plant: withBuild((lifecycle) => ({
      ...lifecycle,
      actions: {
        ...lifecycle.actions,
        createJob: {
          ...lifecycle.actions['createJob'],
          effect: (acting) =>
            Effect.gen(function* () {
              const startedAt = isoTime(yield* Clock.currentTimeMillis);
              const object = { ...acting.object, status: { ...statusOf(acting.object), startedAt } };
              yield* lifecycle.actions['createJob']?.effect?.({ ...acting, object }) ?? Effect.void;
            }),
        },
      },
    })),
  },
];
