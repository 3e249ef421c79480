import { type Clock, Effect } from 'effect';
import { setup } from 'xstate';
import type { KubeObject } from '../../../crds/kind.ts';
import type { Row } from '../../../machines/table.ts';
import { byState, ruleFor } from '../../../rules/engine.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { ActionFailed, type BaseFacts, lifecycle, type Others } from '../../../runtime/contract/lifecycle.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { Cluster, type Resource } from '../../../runtime/services/cluster/cluster.ts';
import { closed, external, sentence, toViewers } from '../../../rules/words.ts';
import type { Ensure } from '../../../runtime/contract/ensure.ts';
import { type Controller, controller } from '../../../runtime/contract/controller.ts';

/**
 * A pump that runs while its valve is open. The valve's state is in the spec, the pump's in the status: the smallest
 * object with two machines, one of them outside the status, and with an end of its life.
 */
export interface Sample extends KubeObject {
  readonly spec?: { readonly open?: boolean; readonly worn?: boolean; readonly turned?: string };
  readonly status?: { readonly pump?: string; readonly jams?: number; readonly history?: readonly unknown[] };
}
export const samples = builds as unknown as Resource<Sample>;
export const finalizerName = 'core.platform/sample';

const named = () => {};
const row = (from: string, event: string, to: string, does: readonly string[] = []): Row => ({
  id: `${from} ${event}`,
  from: from.split(' '),
  event,
  when: 'always',
  to,
  does,
  ensures: [],
  look: '',
  source: 'here',
  status: 'ours',
  line: 1,
});

const valveMachine = setup({
  types: { events: {} as { readonly type: string } },
  actions: { open: named, close: named, mend: named },
}).createMachine({
  id: 'valve',
  initial: 'Closed',
  states: {
    Closed: { on: { openAsked: { target: 'Open', actions: 'open' }, openFound: { target: 'Open' } } },
    Open: {
      on: {
        closeAsked: { target: 'Closed', actions: 'close' },
        closedFound: { target: 'Closed' },
        wornFound: { target: 'Closed', actions: ['close', 'mend'] },
      },
    },
  },
});
const valveRows = [
  row('Closed', 'openAsked', 'Open'),
  row('Closed', 'openFound', 'Open'),
  row('Open', 'closeAsked', 'Closed'),
  row('Open', 'closedFound', 'Closed'),
  row('Open', 'wornFound', 'Closed'),
];
const valveAbsence = [row('(none)', 'openFound', 'Open'), row('(none)', 'closedFound', 'Closed')];

interface ValveFacts extends BaseFacts {
  readonly asked: 'open' | 'close' | null;
  readonly open: boolean;
  readonly worn: boolean;
}
const valveRule = ruleFor<ValveFacts, string, string>();
const valveRules = byState([
  valveRule({
    id: 'closed-found',
    in: ['(none)', 'Open'],
    finds: true,
    when: ({ open }) => !open,
    then: 'closedFound',
    says: () => closed('somebody closed it'),
  }),
  valveRule({
    id: 'open-found',
    in: ['(none)', 'Closed'],
    finds: true,
    when: ({ open }) => open,
    then: 'openFound',
    says: () => closed('somebody opened it'),
  }),
  valveRule({
    id: 'open-asked',
    in: ['Closed'],
    answers: ['open'],
    when: () => true,
    then: 'openAsked',
    says: ({ open }) => sentence('it was {state} and opens', { state: toViewers(open ? 'open' : 'closed') }),
  }),
  valveRule({
    id: 'close-asked',
    in: ['Open'],
    answers: ['close'],
    when: () => true,
    then: 'closeAsked',
    says: () => closed('closed'),
  }),
  valveRule({
    id: 'worn',
    in: ['Open'],
    when: ({ worn }) => worn,
    then: 'wornFound',
    says: () => closed('worn: closed'),
  }),
]);

const pumpMachine = setup({
  types: { events: {} as { readonly type: string } },
  actions: { start: named, count: named, drain: named },
}).createMachine({
  id: 'pump',
  initial: 'Idle',
  states: {
    Idle: {
      meta: { ensures: ['dry'] },
      on: { started: { target: 'Running', actions: 'start' }, jammed: { target: 'Idle', actions: 'count' } },
    },
    Running: { on: { stopped: { target: 'Idle' } } },
    Draining: { meta: { ensures: ['dry'] } },
  },
});
const pumpRows = [row('Idle', 'started', 'Running'), row('Idle', 'jammed', 'Idle'), row('Running', 'stopped', 'Idle')];
const pumpAbsence = [row('(none)', 'built', 'Idle'), row('Idle Running', 'drained', '(deleted)', ['drain'])];

interface PumpFacts extends BaseFacts {
  readonly asked: null;
  readonly valve: string;
  readonly failure: ActionFailed | null;
  readonly deleted: boolean;
}
const pumpRule = ruleFor<PumpFacts, string, string>();
const pumpRules = byState([
  pumpRule({
    id: 'built',
    in: ['(none)'],
    when: () => true,
    then: 'built',
    says: () => closed('built'),
    look: { afterMs: 0 },
  }),
  pumpRule({
    id: 'drained',
    in: ['Idle', 'Running'],
    when: ({ deleted }) => deleted,
    then: 'drained',
    says: () => closed('drained'),
  }),
  pumpRule({
    id: 'jammed',
    in: ['Idle'],
    when: ({ failure }) => failure !== null,
    then: 'jammed',
    says: ({ failure }) => external(failure?.message ?? ''),
  }),
  pumpRule({
    id: 'start',
    in: ['Idle'],
    when: ({ valve }) => valve === 'Open',
    then: 'started',
    says: () => closed('starts'),
  }),
  pumpRule({
    id: 'stop',
    in: ['Running'],
    when: ({ valve }) => valve !== 'Open',
    then: 'stopped',
    says: () => closed('stops'),
  }),
]);

/** What a test sets: the effects of starting and draining, and what must be done before the object may go. */
export interface Plumbing {
  start: Effect.Effect<void, ActionFailed, Cluster>;
  drain: Effect.Effect<void, ActionFailed, Cluster>;
  dry: Ensure<Sample>['run'] | null;
  /** The state of the valve that the pump read at each decision. */
  readonly states: Others[];
}

export const plumbing = (change: Partial<Plumbing> = {}): Plumbing => ({
  start: Effect.void,
  drain: Effect.void,
  dry: null,
  states: [],
  ...change,
});

export function sampleController(told: Plumbing): Controller {
  const status = (sample: Sample) => sample.status ?? {};
  const isOpen = ({ spec }: Sample) => spec?.open === true;
  return controller<Sample>({
    resource: samples,
    finalizer: { name: finalizerName },
    lifecycles: [
      lifecycle<Sample, ValveFacts, string, string>({
        name: 'valve',
        storage: 'object',
        machine: valveMachine,
        rows: valveRows,
        absence: valveAbsence,
        rules: valveRules,
        claims: [],
        trouble: [],
        retrying: () => false,
        read: (sample) => (isOpen(sample) ? 'Open' : 'Closed'),
        write: () => ({}),
        shown: (sample) => (isOpen(sample) ? 'Open' : 'Closed'),
        observe: (sample, _, { now }) => ({ now, open: isOpen(sample), worn: sample.spec?.worn === true }),
        ask: () => Effect.die('nothing is asked'),
        actions: {
          open: { patch: ({ at }) => ({ spec: { open: true, turned: at } }) },
          close: { patch: ({ at }) => ({ spec: { open: false, turned: at } }) },
          mend: { patch: () => ({ spec: { worn: null } }) },
        },
        ensures: {},
      }),
      lifecycle<Sample, PumpFacts, string, string>({
        name: 'pump',
        storage: 'status',
        machine: pumpMachine,
        rows: pumpRows,
        absence: pumpAbsence,
        rules: pumpRules,
        claims: [],
        trouble: [],
        retrying: () => false,
        read: (sample) => status(sample).pump ?? '(none)',
        write: (pump) => ({ pump }),
        shown: (sample) => status(sample).pump ?? '',
        observe: (sample, _, { now, failure, others }) => {
          told.states.push(others);
          return {
            now,
            failure,
            valve: others['valve']?.state ?? '',
            deleted: sample.metadata.deletionTimestamp !== undefined,
          };
        },
        ask: () => Effect.die('nothing is asked'),
        actions: {
          start: { effect: () => told.start },
          count: { patch: ({ object }) => ({ jams: (status(object).jams ?? 0) + 1 }) },
          drain: { effect: () => told.drain },
        },
        ensures: told.dry === null ? {} : { dry: { run: told.dry } },
      }),
    ],
    watches: [],
    ensures: {},
  });
}

/** The moves of an object, one line each. */
export const movesOf = (sample: KubeObject): readonly string[] =>
  historyOf(sample).map(({ seq, machine, from, to, by }) => `${seq} ${machine} ${from} ${to} ${by}`);

const nanos = (ms: number) => BigInt(ms) * 1_000_000n;

/** A clock that the caller advances. */
export const clockOf = (now: () => number): Clock.Clock => ({
  currentTimeMillisUnsafe: now,
  currentTimeMillis: Effect.sync(now),
  currentTimeNanosUnsafe: () => nanos(now()),
  currentTimeNanos: Effect.sync(() => nanos(now())),
  monotonicTimeNanosUnsafe: () => nanos(now()),
  monotonicTimeNanos: Effect.sync(() => nanos(now())),
  sleep: () => Effect.yieldNow,
});
