import type { ProvisionRetryEvent, ProvisionRetryState, ServiceState } from '../../../machines/names.ts';
import { known } from '../../../rules/fact.ts';
import type { ProvisionRetryFacts } from '../../../rules/provisionRetry/facts.ts';
import type { ServiceFacts, ServiceSeen } from '../../../rules/service/facts.ts';
import { serviceOutcome } from '../../../rules/service/ready.ts';
import { type Deciding, type Joint, joint as erased, type Part } from '../../check/joint/joint.ts';
import { lifecycle as service } from '../service.ts';
import { commands, type Deployed, isKept, isPass, isThere, movesOf, plainest, invariantsOf } from './deployed.ts';
import { gateIn, gateOf, running, workloadOf } from './gate.ts';
import { clean, now, rowFacts, rowPart } from './row.ts';

/** One service of an image. */
interface World extends Deployed {
  readonly phase: ServiceState | '(none)' | '(deleted)';
  readonly attempting: boolean;
}

const gate = gateOf<World>('service');

const seenOf = (world: World, deciding: Deciding): ServiceSeen => ({
  gate: gateIn(deciding),
  source: 'image',
  project: { name: 'shop', is: world.trouble === 'waits' ? 'notReady' : 'fine' },
  environment: 'production',
  cluster: { name: 'main', ready: true },
  connection: { name: '', is: 'none' },
  secret: { name: '', found: false },
  registry: '',
  image: 'nginx:1.27',
  databases: [],
  buckets: [],
  missing: null,
  workload: workloadOf(world, gateIn(deciding)),
  pods: world.pods,
  attempting: world.attempting,
  attemptOfDeploy: world.attempting,
  currentBuild: '',
  build: null,
  room: { nodes: world.trouble === 'counts' ? 'none' : 'fit', crowded: null },
  region: '',
  tags: [],
  host: { name: '', leads: 'here' },
  isCodeTooLong: false,
  contested: [],
  failure: deciding.failure,
});

const retryFacts = (world: World, deciding: Deciding): ProvisionRetryFacts => ({
  ...rowFacts(world.row),
  deleted: world.deleting,
  rowOf: 'anyKind',
  outcome: known(serviceOutcome(seenOf(world, deciding))),
});

function facts(world: World, deciding: Deciding): ServiceFacts {
  const { gate: at, ...around } = seenOf(world, deciding);
  const retry = deciding.others['provisionRetry'];
  return {
    now,
    deleted: world.deleting,
    gate: at,
    retry: {
      state: (retry?.state ?? 'Clean') as ProvisionRetryState,
      event: (retry?.event ?? null) as ProvisionRetryEvent['type'] | null,
    },
    around: known(around),
    remains: known(world.ending),
  };
}

const gone = { runs: null, pods: 'none' } as const;
const ended = (world: World): World => ({ ...world, attempting: false });

const itself: Part<World> = {
  subject: service,
  kept: 'status',
  read: ({ phase }) => phase,
  enter: (world, state) => ({ ...world, phase: state as World['phase'] }),
  facts,
  does: {
    applyWorkload: (world, { gate: at }: ServiceFacts) => ({ ...world, runs: running(world, at), pods: 'starting' }),
    deleteWorkload: (world) => ({ ...world, ...gone, ending: world.ending || world.runs !== null }),
    startAttempt: (world) => ({ ...world, attempting: true }),
    succeedAttempt: ended,
    failAttempt: ended,
    recordFailure: (world) => world,
  },
  ensures: { noWorkload: (world) => ({ ...world, ...gone }) },
};

const first: World = {
  phase: '(none)',
  gate: '(none)',
  enabled: false,
  workflow: true,
  pending: true,
  spec: 0,
  snapshot: null,
  row: clean,
  trouble: 'none',
  ...gone,
  attempting: false,
  deleting: false,
  ending: false,
  approved: null,
};
const createdByUser: World = gate.approvedBy({ ...first, enabled: true, workflow: false, pending: false });
const draftCreatedByUser: World = gate.approvedBy({ ...createdByUser, enabled: false });

/** Whether the same stands outside the object, whichever version runs: what is saved renames them. */
const isAsStanding = (one: World, two: World) =>
  (one.runs === null) === (two.runs === null) && one.pods === two.pods && one.ending === two.ending;

/** A service that people deploy, save, retry, edit and delete, while what it needs comes and goes. */
const world: Joint<World> = {
  name: 'service',
  parts: [gate.part, rowPart(retryFacts), itself],
  start: [first, createdByUser, draftCreatedByUser],
  moves: [
    ...movesOf(gate, ['waits', 'counts']),
    {
      name: 'the pods run again',
      undisturbed: true,
      on: (at) => (isKept(at) && at.pods === 'failed' ? [{ ...at, pods: 'starting' }] : []),
    },
  ],
  commands,
  isThere,
  within: isThere,
  plainest: (at) => plainest(at.deleting ? { ...at, attempting: false } : at),
  invariants: {
    ...invariantsOf(gate, isAsStanding),
    servedIsNotGivenUp: {
      holds: 'Failing pods alone never end a service without an attempt under way.',
      alwaysStep: (before, after, step) =>
        !isPass(step) ||
        before.attempting ||
        before.trouble !== 'none' ||
        before.row.gaveUp ||
        after.row.gaveUp === before.row.gaveUp,
    },
    readyEndsTheAttempt: {
      holds: 'After a pass that comes to Ready or ProvisionFailed no attempt is under way.',
      alwaysStep: (_, after, step) =>
        !isPass(step) || (after.phase !== 'Ready' && after.phase !== 'ProvisionFailed') || !after.attempting,
    },
    endLeavesNothing: {
      holds: 'When its life has ended, nothing of it is left.',
      always: (at) => at.phase !== '(deleted)' || (at.runs === null && !at.ending),
    },
  },
  budget: { worlds: 250_000, seconds: 60 },
};

export const joint = erased(world);
