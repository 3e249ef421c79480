import { Clock, Effect, Scope } from 'effect';
import { setup } from 'xstate';
import type { Row } from '../../../machines/table.ts';
import type { HistoryEntry, KubeObject } from '../../../crds/kind.ts';
import { type Condition, withCondition } from '../../../rules/condition.ts';
import { byState, ruleFor } from '../../../rules/engine.ts';
import { type Fact, known, unasked, unknown } from '../../../rules/fact.ts';
import type { PassContext } from '../../../runtime/contract/context.ts';
import { gatedCluster, type Gate } from '../../../runtime/services/gate.ts';
import { ActionFailed, type BaseFacts, lifecycle } from '../../../runtime/contract/lifecycle.ts';
import { freshMemory } from '../../../runtime/pass/memory.ts';
import type { Outside } from '../../../runtime/services/outside.ts';
import { pass } from '../../../runtime/pass/pass.ts';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { nothingCached as none } from '../../support/nothingCached.ts';
import { Cluster, type Resource } from '../../../runtime/services/cluster/cluster.ts';
import { makeTestEnvironment } from '../../support/environment.ts';
import { closed, external, hidden, sentence } from '../../../rules/words.ts';
import { type Ensure, holds } from '../../../runtime/contract/ensure.ts';
import { type Controller, controller } from '../../../runtime/contract/controller.ts';

/** The smallest machine with a claim: a toggle that is opened with a key, which is turned once. */
const toggleMachine = setup({
  types: { events: {} as { readonly type: string } },
  actions: { claim: () => {}, turn: () => {}, fail: () => {}, clear: () => {} },
}).createMachine({
  id: 'toggle',
  initial: 'Shut',
  states: {
    Shut: {
      meta: { ensures: ['swept'] },
      on: {
        shutFound: { target: 'Shut', actions: 'clear' },
        openAsked: { target: 'Open' },
        keyFound: { target: 'Shut', actions: 'claim' },
        opened: { target: 'Open', actions: 'turn' },
        jammed: { target: 'Jammed', actions: 'fail' },
        rested: { target: 'Shut' },
      },
    },
    // The table below has no row for `blownAway`.
    Open: {
      meta: { ensures: ['lit'] },
      on: { shutFound: { target: 'Shut', actions: 'clear' }, blownAway: { target: 'Jammed' } },
    },
    Jammed: { on: { shutFound: { target: 'Shut', actions: 'clear' } } },
  },
});

const row = (from: string, event: string, to: string): Row => ({
  id: `${from} ${event}`,
  from: [from],
  event,
  when: 'always',
  to,
  does: [],
  ensures: [],
  look: '',
  source: 'here',
  status: 'ours',
  line: 1,
});
const toggleRows = [
  row('any', 'shutFound', 'Shut'),
  row('Shut', 'openAsked', 'Open'),
  row('Shut', 'keyFound', 'same'),
  row('Shut', 'opened', 'Open'),
  row('Shut', 'jammed', 'Jammed'),
  row('Shut', 'rested', 'Shut'),
];

export interface Toggle extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly key?: string;
    readonly reason?: string;
    readonly warm?: boolean;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
    readonly history?: readonly unknown[];
  };
}

export const toggles = builds as unknown as Resource<Toggle>;

interface ToggleFacts extends BaseFacts {
  readonly asked: 'open' | null;
  readonly found: string | null;
  readonly claimed: boolean;
  readonly locked: boolean;
  readonly failure: ActionFailed | null;
  readonly key: Fact<'there' | 'gone'>;
}

/** What a test sets: the answer of asking, the effect of turning the key, the effect of ensuring. */
export interface Doing {
  key: Fact<'there' | 'gone'>;
  locked: boolean;
  turn: Effect.Effect<void, ActionFailed, Cluster>;
  /** Whether a failed turn jams the toggle; otherwise the same is decided again. */
  jams: boolean;
  /** An event that is outside the table. */
  strays: 'flewAway' | 'blownAway' | null;
  lit: Ensure<Toggle>;
  swept: Ensure<Toggle>;
  warm: boolean | null;
  /** Whether a verdict is derived: anew, or left as it was. */
  judges: 'anew' | 'left' | null;
  asked: number;
}

export const doing = (change: Partial<Doing> = {}): Doing => ({
  key: known('there'),
  locked: false,
  turn: Effect.void,
  jams: true,
  strays: null,
  lit: { run: () => Effect.succeed(holds) },
  swept: { run: () => Effect.succeed(holds) },
  warm: null,
  judges: null,
  asked: 0,
  ...change,
});

/** The toggle's controller, scripted by the test. */
export function toggleController(told: Doing, finalizer?: Controller<Toggle>['finalizer']): Controller {
  const rule = ruleFor<ToggleFacts, string, string>();
  const inShut = ['Shut'];
  const rules = byState([
    rule({
      id: 'shut-found',
      in: ['Shut', 'Open', 'Jammed'],
      finds: true,
      when: ({ found }) => found === 'Shut',
      then: 'shutFound',
      says: () => closed('Shut was written from outside'),
    }),
    rule({
      id: 'open-asked',
      in: inShut,
      answers: ['open'],
      when: () => true,
      then: 'openAsked',
      says: () => closed('let me in'),
    }),
    rule({
      id: 'stray',
      in: ['Open'],
      when: () => told.strays !== null,
      then: told.strays ?? '',
      says: () => closed('flew away'),
    }),
    rule({
      id: 'jam',
      in: inShut,
      when: ({ failure }) => told.jams && failure !== null,
      then: 'jammed',
      says: ({ failure }) => external(failure?.message ?? ''),
    }),
    rule({
      id: 'locked',
      in: inShut,
      when: ({ locked }) => locked,
      then: 'rested',
      says: ({ now }) => sentence('locked at {now}', { now: hidden(now) }),
      look: { afterMs: 7_000 },
    }),
    rule({
      id: 'key',
      in: inShut,
      needs: ['key'],
      when: ({ claimed, key }) => !claimed && key.value === 'there',
      then: 'keyFound',
      says: () => closed('the key is there'),
    }),
    rule({
      id: 'open',
      in: inShut,
      needs: ['key'],
      when: ({ key }) => key.value === 'there',
      then: 'opened',
      says: () => closed('the key was turned'),
      look: { afterMs: 5_000 },
    }),
  ]);
  const status = (toggle: Toggle) => toggle.status ?? {};
  return controller<Toggle>({
    resource: toggles,
    lifecycles: [
      lifecycle<Toggle, ToggleFacts, string, string>({
        name: 'toggle',
        storage: 'status',
        machine: toggleMachine,
        rows: toggleRows,
        absence: [],
        rules,
        claims: ['keyFound'],
        trouble: ['Jammed'],
        retrying: () => false,
        read: (toggle) => status(toggle).phase ?? 'Shut',
        write: (phase) => ({ phase }),
        shown: (toggle) => status(toggle).phase ?? 'Shut',
        observe: (toggle, _, { now, failure }) => ({
          now,
          failure,
          claimed: status(toggle).key !== undefined,
          locked: told.locked,
          key: unasked,
        }),
        ask: () => Effect.sync(() => (told.asked++, told.key)),
        actions: {
          claim: { patch: ({ at }) => ({ key: at }) },
          turn: { effect: () => told.turn },
          fail: { patch: ({ text }) => ({ reason: text }) },
          clear: { patch: () => ({ key: null, reason: null }) },
        },
        ensures: { lit: told.lit, swept: told.swept },
      }),
    ],
    watches: [],
    ...(told.warm === null && told.judges === null ? {} : { derive: (toggle, { now }) => derived(told, toggle, now) }),
    ensures: {},
    ...(finalizer ? { finalizer } : {}),
  });
}

const verdict = { type: 'Ready', status: 'True', reason: 'Well', message: 'All is well' } as const;

const derived = ({ warm, judges }: Doing, toggle: Toggle, now: string) => ({
  ...(warm === null ? {} : { warm }),
  ...(judges === 'anew' ? { conditions: withCondition(toggle, verdict, now) } : {}),
});

export const cannot = (text: string) => new ActionFailed({ action: 'turn', retry: 'waiting', message: text });
export const notRead = unknown('nobody answers');

/** One toggle in an in-memory cluster, whose writes are counted. */
export function makeHouse(told: Doing, status?: Toggle['status'], finalizer?: Controller<Toggle>['finalizer']) {
  const { cluster, services } = makeTestEnvironment();
  const writes: string[] = [];
  const gate: Gate = {
    through: (write) => Effect.sync(() => void writes.push(write.split(' ')[0] ?? '')),
    close: () => {},
  };
  const of = toggleController(told, finalizer);
  const memory = freshMemory();
  const external: string[] = [];
  const ensureFailed: string[] = [];
  const context: PassContext = {
    reader: none,
    wrote: () => {},
    ensureFailed: (ensure) => ensureFailed.push(ensure),
    external: (_, { from, to }) => external.push(`${from} ${to}`),
    move: () => Effect.die('another toggle is not expected'),
    add: () => Effect.die('another toggle is not expected'),
    archive: () => Effect.sync(() => void writes.push('journal')),
    hasEnded: () => false,
  };
  cluster.put(toggles, { metadata: { name: 'front' }, ...(status ? { status } : {}) });
  const edit = (metadata: Partial<KubeObject['metadata']>) =>
    void cluster.put(toggles, { ...toggle(), metadata: { ...toggle().metadata, ...metadata } });
  const toggle = (): Toggle => {
    const found = cluster.all(toggles)[0];
    if (!found) throw new Error('the toggle is gone');
    return found;
  };
  const run = <A, E>(effect: Effect.Effect<A, E, Outside | Scope.Scope>) =>
    Effect.runPromise(
      Effect.result(effect).pipe(
        Effect.provideService(Scope.Scope, Scope.makeUnsafe()),
        Effect.provideService(Cluster, gatedCluster(cluster, gate)),
        Effect.provideContext(services),
        Effect.provideService(Clock.Clock, fixedClock),
      ),
    );
  const look = (at: KubeObject = toggle()) => run(pass(of, at, memory, context));
  return { cluster, controller: of, writes, memory, external, ensureFailed, context, toggle, edit, run, look };
}

const nowMs = Date.UTC(2027, 0, 1);
const nanos = BigInt(nowMs) * 1_000_000n;
/** Time stands still: a pass may ask to be requeued, and never is. */
const fixedClock: Clock.Clock = {
  currentTimeMillisUnsafe: () => nowMs,
  currentTimeMillis: Effect.succeed(nowMs),
  currentTimeNanosUnsafe: () => nanos,
  currentTimeNanos: Effect.succeed(nanos),
  monotonicTimeNanosUnsafe: () => nanos,
  monotonicTimeNanos: Effect.succeed(nanos),
  sleep: () => Effect.yieldNow,
};

/** The move that led a toggle to a phase, as the newest in its history. */
export const moved = (phase: string): HistoryEntry => ({
  seq: 1,
  machine: 'toggle',
  from: 'Shut',
  event: 'opened',
  to: phase,
  by: 'operator',
  at: '2026-12-31T00:00:00.000Z',
  text: '',
});
