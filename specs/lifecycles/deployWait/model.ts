import type { DeployWaitState } from '../../../machines/names.ts';
import { deployWaitEvents } from '../../../rules/deployWait/events.ts';
import type { DeployWaitFacts, ServiceStatus, StatusAnswer } from '../../../rules/deployWait/facts.ts';
import { type Absence, byState, decide, requeueAfterMs } from '../../../rules/engine.ts';
import type { Model, Move } from '../../check/subject.ts';

type State = DeployWaitState | Absence | '(deleted)';

/**
 * The progress of the deploy itself; `rolledOut` shows the replicas of the previous deploy until the operator observes
 * it.
 */
type Deploy =
  | 'unseen'
  | 'building'
  | 'buildFailed'
  | 'buildCancelled'
  | 'rollingOut'
  | 'rolloutFailed'
  | 'rolledOut'
  | 'serviceDeleted'
  | 'tokenRevoked'
  | 'requestRefused'
  | 'apiDown';

type Command = 'waits' | 'refused' | 'unasked' | 'leftOut';

interface World {
  readonly state: State;
  /** The flags of the command, and whether the deploy was accepted. */
  readonly command: Command;
  readonly now: number;
  readonly timeoutMs: number | null;
  readonly startedAt: number | null;
  /** When the next check of the command is due; null if it is due now. */
  readonly lookAt: number | null;
  readonly deploy: Deploy;
  /** The exit code so far, and the state of the deploy when the wait ended. */
  readonly exit: 0 | 1 | 3 | 4 | 5 | 6;
  readonly endedOn: Deploy | null;
}

const seen: ServiceStatus = {
  state: 'pending',
  message: '',
  url: 'https://shop.example.com',
  ready: false,
  pendingChanges: false,
  replicas: { desired: 2, ready: 1 },
  build: { phase: 'Succeeded', failureReason: '' },
};
const found = (status: Partial<ServiceStatus>): StatusAnswer => ({ is: 'found', status: { ...seen, ...status } });

const answers: Readonly<Record<Deploy, StatusAnswer>> = {
  unseen: found({ pendingChanges: true, state: 'ready', ready: true }),
  building: found({ build: { phase: 'Running', failureReason: '' } }),
  buildFailed: found({ build: { phase: 'Failed', failureReason: 'builder Job failed' } }),
  buildCancelled: found({ build: { phase: 'Cancelled', failureReason: '' } }),
  rollingOut: found({}),
  rolloutFailed: found({ state: 'failed', message: 'ProvisionFailed' }),
  rolledOut: found({ state: 'ready', ready: true }),
  serviceDeleted: { is: 'refused', code: 404, why: 'service "shop" does not exist' },
  tokenRevoked: { is: 'refused', code: 401, why: 'not signed in' },
  requestRefused: { is: 'refused', code: 400, why: 'the name is not valid' },
  apiDown: { is: 'silent' },
};

const goesOn: Readonly<Record<Deploy, readonly Deploy[]>> = {
  unseen: ['building', 'rollingOut', 'apiDown'],
  building: ['buildFailed', 'buildCancelled', 'rollingOut', 'serviceDeleted', 'tokenRevoked', 'requestRefused'],
  buildFailed: [],
  buildCancelled: ['building'],
  rollingOut: ['rolloutFailed', 'rolledOut'],
  rolloutFailed: [],
  rolledOut: [],
  serviceDeleted: [],
  tokenRevoked: [],
  requestRefused: [],
  apiDown: ['building', 'rolledOut'],
};

const factsOf = ({ command, now, timeoutMs, startedAt, deploy }: World): DeployWaitFacts => ({
  now,
  app: 'shop',
  wait: command !== 'unasked',
  named: command !== 'leftOut',
  listed: command === 'leftOut' ? 'draft' : 'pending',
  deploy: command === 'refused' ? 'refused' : 'accepted',
  startedAt,
  timeoutMs,
  answer: answers[deploy],
});

const rules = byState(deployWaitEvents);

/** The next check that the command itself announces. */
function nextLook(world: World): number | null {
  const facts = factsOf(world);
  const decision = decide(rules, world.state === '(deleted)' ? '(none)' : world.state, facts);
  const look = decision.is === 'event' ? decision.rule.look : undefined;
  return look === undefined ? null : world.now + requeueAfterMs(look, facts, world.now);
}

const deadlineOf = ({ startedAt, timeoutMs }: World) => (startedAt ?? 0) + (timeoutMs ?? 600_000);

const moves: readonly Move<World>[] = [
  {
    name: 'time passes to the next look',
    undisturbed: true,
    on: (world) =>
      world.lookAt !== null && world.lookAt > world.now ? [{ ...world, now: world.lookAt, lookAt: null }] : [],
  },
  {
    name: 'the deploy goes on',
    on: (world) => goesOn[world.deploy].map((deploy) => ({ ...world, deploy })),
  },
];

const exits =
  (code: World['exit']) =>
  (world: World): World => ({ ...world, exit: world.exit || code });

const ended = ({ state, command }: World) => (state === '(none)' ? command !== 'waits' : state !== 'Waiting');
const exitOf: Readonly<Partial<Record<State, readonly number[]>>> = {
  Failed: [5],
  TimedOut: [6],
  Stopped: [1, 3, 4],
};
const whyOf: Readonly<Partial<Record<Deploy, number>>> = {
  buildFailed: 5,
  rolloutFailed: 5,
  rolledOut: 0,
  serviceDeleted: 3,
  tokenRevoked: 4,
  requestRefused: 1,
};

const start: World = {
  state: '(none)',
  command: 'waits',
  now: 0,
  timeoutMs: null,
  startedAt: null,
  lookAt: null,
  deploy: 'unseen',
  exit: 0,
  endedOn: null,
};

/** One wait, and the deploy that it waits for. */
export const model: Model<World, DeployWaitFacts, DeployWaitState> = {
  start: [
    start,
    { ...start, timeoutMs: 7_500 },
    { ...start, timeoutMs: 0 },
    { ...start, timeoutMs: 7_500, deploy: 'rolledOut' },
    { ...start, command: 'refused' },
    { ...start, command: 'unasked' },
    { ...start, command: 'leftOut' },
  ],
  state: ({ state }) => state,
  enter: (world, state) => ({ ...world, state }),
  facts: factsOf,
  does: {
    printProgress: (world) =>
      world.state === '(none)' ? { ...world, startedAt: world.now } : { ...world, lookAt: nextLook(world) },
    nextService: (world) => ({ ...world, endedOn: world.deploy, lookAt: null }),
    exitFailed: exits(5),
    exitTimedOut: exits(6),
    exitNotFound: exits(3),
    exitNotAllowed: exits(4),
    exitOtherError: exits(1),
  },
  moves,
  within: ({ now }) => now <= 700_000,
  invariants: {
    endsByTimeout: { always: (world) => world.state !== 'Waiting' || world.now <= deadlineOf(world) },
    waitEnds: { eventually: ended },
    doneOnlyWhenReady: { always: ({ state, endedOn }) => state !== 'Done' || endedOn === 'rolledOut' },
    cancelledIsNoEnd: { never: (world) => world.endedOn === 'buildCancelled' && world.now < deadlineOf(world) },
    polledOften: { always: ({ lookAt, now }) => lookAt === null || lookAt - now <= 3_000 },
    exitTellsEnd: {
      always: ({ state, exit, endedOn }) =>
        (exitOf[state] ?? [0]).includes(exit) && exit === ((endedOn && whyOf[endedOn]) ?? (endedOn === null ? 0 : 6)),
    },
  },
};
