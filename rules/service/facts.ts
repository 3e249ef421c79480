import type { DraftDeployState } from '../../machines/names.ts';
import type { BuildPhase } from '../deployWait/facts.ts';
import type { ObjectRef } from '../cause/cause.ts';
import type { FailedAction } from '../cause/failedAction.ts';
import type { MissingSource } from '../cause/missingSource.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import type { Fact } from '../fact.ts';
import type { AvailableCapacity } from '../capacity.ts';
import type { Counts } from '../verdict.ts';

/** A database or a bucket that provides variables of the service. */
export interface Used {
  readonly kind: 'CoreDatabase' | 'CoreLogicalDatabase' | 'CoreObjectStore';
  readonly name: string;
  readonly is: 'absent' | 'notReady' | 'ready';
}

/** The dependencies of a service, and its running workload. */
export interface ServiceObserved {
  readonly source: 'image' | 'git' | 'function';
  readonly project: {
    readonly name: string;
    /** `notReadyElsewhere` when the environment of the service itself has all that it needs. */
    readonly is: 'absent' | 'notReady' | 'notReadyElsewhere' | 'withoutEnvironment' | 'fine';
  };
  readonly environment: string;
  readonly cluster: { readonly name: string; readonly ready: boolean };
  /** The project's connection to the Git host; `none` when the project names none. */
  readonly connection: { readonly name: string; readonly is: 'none' | 'absent' | 'found' };
  /** The Secret of that connection. */
  readonly secret: { readonly name: string; readonly found: boolean };
  /** The registry of its builds; empty for none. */
  readonly registry: string;
  /** Whether the code of a function is too long. */
  readonly isCodeTooLong: boolean;
  /** The image to run: as given, or by the digest of a build; empty while there is none. */
  readonly image: string;
  /** The databases that provide its variables. */
  readonly databases: readonly Used[];
  /** The buckets that provide its variables. */
  readonly buckets: readonly Used[];
  /** The first missing source of a variable. */
  readonly missing: MissingSource | null;
  /** Its requested or default public host, empty for none, and the target of that host. */
  readonly host: {
    readonly name: string;
    readonly leads: 'here' | 'toAnother' | 'toTheDashboard';
    /** The other service that it leads to. */
    readonly owner?: string;
  };
  /** Whether the applied objects match the spec that runs. */
  readonly workload: 'absent' | 'stale' | 'current';
  /** The objects that are still to be written or removed. */
  readonly due?: readonly ObjectRef[];
  /** `asleep` when the serverless add-on has scaled the service to zero. */
  readonly pods: 'none' | 'starting' | 'failed' | 'running' | 'asleep';
  /** Whether an attempt is active; only then failures count. */
  readonly attempting: boolean;
  /** Whether that attempt is of the newest deploy. */
  readonly attemptOfDeploy: boolean;
  /** The name of its current build; empty for none. */
  readonly currentBuild: string;
  /** The build phase of the deployed spec; null without a build. */
  readonly build: BuildPhase | null;
  /** The capacity for its copies; computed lazily. */
  readonly room: AvailableCapacity;
  readonly region: string;
  readonly tags: readonly string[];
  /** Fields that another manager keeps changing back, as sentences; they count as current. */
  readonly contested: readonly string[];
  /** The failed action of this pass; `permanent` for access denied and an invalid credential or configuration. */
  readonly failure: (FailedAction & { readonly counts: Counts }) | null;
}

/** A service and what was observed around it. */
export interface ServiceSeen extends ServiceObserved {
  /** The resulting state of its deploy gate. */
  readonly gate: DraftDeployState;
}

/** The facts of one pass over a service. Secrets are never included. */
export interface ServiceFacts {
  readonly now: number;
  readonly deleted: boolean;
  /** The state of the machine `draftDeploy` after its step in this pass. */
  readonly gate: DraftDeployState;
  /** The result of the machine `provisionRetry` after its step in this pass. */
  readonly retry: RetrySeen;
  readonly around: Fact<ServiceObserved>;
  /** Whether any applied object remains, by a direct read. */
  readonly remains: Fact<boolean>;
}
