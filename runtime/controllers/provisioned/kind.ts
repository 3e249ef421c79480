import type { Effect } from 'effect';
import type { DraftDeployState } from '../../../machines/names.ts';
import type { Table } from '../../../machines/table.ts';
import type { FoundCause } from '../../../rules/cause/cause.ts';
import type { JobRole, JobSeen } from '../../../rules/cause/jobSeen.ts';
import type { Findings } from '../../../rules/cause/record.ts';
import type { Condition } from '../../../rules/condition.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { Fact, FactName, Known } from '../../../rules/fact.ts';
import type { TriedFacts } from '../../../rules/provision/events.ts';
import type { Blocker } from '../../../rules/provision/blockers.ts';
import type { Leaving, Tried } from '../../../rules/provision/ready.ts';
import type { StartingPod } from '../../../rules/pods.ts';
import type { PassOutcome } from '../../../rules/provisionRetry/facts.ts';
import type { VerdictRule } from '../../../rules/verdict.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Deriving } from '../../contract/controller.ts';
import type { Ensure } from '../../contract/ensure.ts';
import type { ActionFailed, AnyLifecycle, BaseFacts, ReconcileInput, Trigger } from '../../contract/lifecycle.ts';
import type { Stepper } from '../../contract/stepper.ts';
import type { Outside } from '../../services/outside.ts';
import type { DerivingOfPods } from '../volumeEvents.ts';
import type { AttemptAction, AttemptOptions, OwnActions, Provisioned } from './actions.ts';
import type { Deploy } from './draftDeploy.ts';
import type { Reapplying } from './ensures.ts';

/** The types of a kind that is provisioned. */
export interface ProvisionedTypes {
  readonly object: Provisioned;
  readonly facts: TriedFacts & BaseFacts;
  /** The input of its blockers and its Ready table. */
  readonly seen: object;
  /** Further input of its Ready table. */
  readonly beside: object;
  readonly state: string;
  readonly event: string;
  readonly action: string;
  /** Its actions that record the build or deployment of an attempt. */
  readonly refAction: string;
}

/** The input of an observation: the state that the gate reached, and the action that failed in this pass. */
export interface Observing {
  readonly reader: CacheReader;
  readonly gate: DraftDeployState;
  readonly now: number;
  readonly failure: ActionFailed | null;
}

type ReadyInput = Tried & Pick<Leaving, 'leaving'>;
/** The facts when `around` is known. */
export type AroundKnown<Facts extends TriedFacts> = Omit<Facts, 'around'> & {
  readonly around: Extract<Facts['around'], Known<unknown>>;
};

/** Declares a provisioned kind: its observation, its blockers, and what its machine has of its own. */
export interface ProvisionedKind<T extends ProvisionedTypes> {
  readonly machine: Omit<Stepper<T['facts'], T['state'], T['event']>, 'storage'> &
    Pick<Table, 'claims' | 'trouble' | 'rests'>;
  readonly states: readonly T['state'][];
  /** The deletion phase of each state that only holds during deletion. */
  readonly deletionPhases: Readonly<Record<string, NonNullable<Leaving['leaving']>>>;
  /** For a kind with deploys. */
  readonly deploy?: Deploy<T['object']>;

  observe(object: T['object'], observing: Observing): T['seen'];
  /** The facts of its machine, without the time and the counted failures. */
  facts(
    object: T['object'],
    given: Observing & { readonly input: ReconcileInput; readonly seen: T['seen'] },
  ): Omit<T['facts'], keyof Trigger | 'now' | 'retry'>;
  /** Takes the observation out of the facts. */
  seenIn(facts: AroundKnown<T['facts']>): T['seen'];
  ask(
    fact: FactName<T['facts']>,
    object: T['object'],
    reader: CacheReader,
  ): Effect.Effect<Fact<unknown>, never, Outside>;
  readonly forget?: (name: string) => void;

  readonly blockers: readonly Blocker<T['seen']>[];
  readonly ready: readonly VerdictRule<T['seen'] & ReadyInput & T['beside']>[];
  /** The outcome that Ready would report if it had not given up. */
  outcome(seen: T['seen']): PassOutcome;
  beside(object: T['object'], state: T['state'] | Absence, deriving: Deriving): T['beside'];
  /** The pods that its causes are found in. */
  pods(object: T['object'], reader: CacheReader): readonly StartingPod[];
  /** Why its copies do not run, or did not lately. */
  copies?(object: T['object'], seen: T['seen'], deriving: DerivingOfPods): readonly FoundCause[];
  /** A Job that works for it. */
  job?(object: T['object'], role: JobRole, deriving: DerivingOfPods): JobSeen | undefined;
  /** Causes that Ready does not tell. */
  moreCauses?(object: T['object'], seen: T['seen'], deriving: DerivingOfPods): readonly FoundCause[];

  readonly firstError: AttemptOptions<T['object'], T['facts']>['firstError'];
  readonly refs: AttemptOptions<T['object'], T['facts'], T['refAction']>['refs'];
  readonly actions: OwnActions<Exclude<T['action'], AttemptAction | T['refAction']>, T['object'], T['facts']>;
  /** The ensures of its machine. */
  readonly ensures: Readonly<Record<string, Ensure<T['object']>>>;
  /** Its owned objects; reapplied when `reapply` is given. */
  readonly owned: { readonly settled: Ensure<T['object']>; readonly reapply?: Reapplying<T['object']> };
}

/** What the Ready table says of an object, and why. */
export interface Evaluated<Seen> {
  readonly seen: Seen;
  readonly conditions: readonly Condition[];
  readonly findings: () => Findings;
}

/** The parts from which a provisioned kind builds its controller. */
export interface ProvisionedParts<T extends ProvisionedTypes> {
  /** The machine of counted failures, which steps before the machine of the kind. */
  readonly retry: AnyLifecycle;
  readonly lifecycle: AnyLifecycle;
  readonly ensures: Readonly<Record<string, Ensure<T['object']>>>;
  /** The observation, the conditions with Ready and the causes, by the reached states; computed once a pass. */
  readonly readyOf: (object: T['object'], deriving: Deriving) => Evaluated<T['seen']>;
}
