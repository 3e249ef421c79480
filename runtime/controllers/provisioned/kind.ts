import type { Effect } from 'effect';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { Table } from '../../../machines/table.ts';
import type { Condition } from '../../../rules/condition.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Fact, FactName, Known } from '../../../rules/fact.ts';
import type { TriedFacts } from '../../../rules/provision/events.ts';
import type { Blocker } from '../../../rules/provision/blockers.ts';
import type { Leaving, Tried } from '../../../rules/provision/ready.ts';
import type { PassOutcome } from '../../../rules/provisionRetry/facts.ts';
import type { VerdictRule } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Deriving } from '../../contract/controller.ts';
import type { Ensure } from '../../contract/ensure.ts';
import type { ActionFailed, AnyLifecycle, BaseFacts, ReconcileInput, Trigger } from '../../contract/lifecycle.ts';
import type { Stepper } from '../../contract/stepper.ts';
import type { Outside } from '../../services/outside.ts';
import type { AttemptAction, AttemptOptions, OwnActions, Provisioned } from './actions.ts';
import type { Deploy } from './draftDeploy.ts';
import type { Reapplying } from './ensures.ts';

/** The types of a kind that is provisioned. */
export interface ProvisionedTypes {
  readonly object: Provisioned;
  readonly facts: TriedFacts & BaseFacts;
  /** What its blockers and its Ready table read. */
  readonly seen: object;
  /** What its Ready table reads besides. */
  readonly beside: object;
  readonly state: string;
  readonly event: string;
  readonly action: string;
  /** Those of its actions that record what an attempt is about. */
  readonly refAction: string;
}

/** What an object is observed with: the state that its gate reached, and the action that failed in this pass. */
export interface Observing {
  readonly reader: CacheReader;
  readonly gate: DraftDeployState;
  readonly now: number;
  readonly failure: ActionFailed | null;
}

type ReadyInput = Tried & Pick<Leaving, 'leaving'>;
/** The facts, once what is around the object is known. */
export type AroundKnown<Facts extends TriedFacts> = Omit<Facts, 'around'> & {
  readonly around: Extract<Facts['around'], Known<unknown>>;
};

/** One kind that is provisioned: what it observes, what blocks it, and what differs in its machine. */
export interface ProvisionedKind<T extends ProvisionedTypes> {
  readonly machine: Omit<Stepper<T['facts'], T['state'], T['event']>, 'storage'> & Pick<Table, 'claims' | 'trouble'>;
  readonly states: readonly T['state'][];
  /** How far the deletion is in each state that holds only while the object is being deleted. */
  readonly deletionPhases: Readonly<Record<string, NonNullable<Leaving['leaving']>>>;
  /** For a kind that is deployed. */
  readonly deploy?: Deploy<T['object']>;

  observe(object: T['object'], observing: Observing): T['seen'];
  /** The facts of its machine besides the time and the counted failures. */
  facts(
    object: T['object'],
    given: Observing & { readonly moment: ReconcileInput; readonly seen: T['seen'] },
  ): Omit<T['facts'], keyof Trigger | 'now' | 'retry'>;
  /** What was observed, taken from the facts. */
  seenIn(facts: AroundKnown<T['facts']>): T['seen'];
  ask(
    fact: FactName<T['facts']>,
    object: T['object'],
    reader: CacheReader,
  ): Effect.Effect<Fact<unknown>, never, Outside>;
  readonly forget?: (name: string) => void;

  readonly blockers: readonly Blocker<T['seen']>[];
  readonly ready: readonly VerdictRule<T['seen'] & ReadyInput & T['beside']>[];
  /** What Ready would report if nothing had been given up. */
  outcome(seen: T['seen']): PassOutcome;
  beside(object: T['object'], state: T['state'] | Absence, deriving: Deriving): T['beside'];

  readonly firstError: AttemptOptions<T['object'], T['facts']>['firstError'];
  readonly refs: AttemptOptions<T['object'], T['facts'], T['refAction']>['refs'];
  readonly actions: OwnActions<Exclude<T['action'], AttemptAction | T['refAction']>, T['object'], T['facts']>;
  /** Those of its machine. */
  readonly ensures: Readonly<Record<string, Ensure<T['object']>>>;
  /** Its objects in the cluster; they are reapplied where it says how. */
  readonly owned: { readonly settled: Ensure<T['object']>; readonly reapply?: Reapplying<T['object']> };
}

/** What the controller of a kind that is provisioned takes over. */
export interface ProvisionedParts<T extends ProvisionedTypes> {
  /** The counted failures, which step before the machine of the kind. */
  readonly retry: AnyLifecycle;
  readonly lifecycle: AnyLifecycle;
  readonly ensures: Readonly<Record<string, Ensure<T['object']>>>;
  /** What was observed, and the conditions with Ready, by the states that the machines reached. */
  readonly readyOf: (
    object: T['object'],
    deriving: Deriving,
  ) => { readonly seen: T['seen']; readonly conditions: readonly Condition[] };
}
