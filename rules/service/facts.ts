import type { DraftDeployState } from '../../machines/names.ts';
import type { BuildPhase } from '../deployWait/facts.ts';
import type { RetrySeen } from '../provisionRetry/facts.ts';
import type { Fact } from '../fact.ts';
import type { AvailableCapacity } from '../capacity.ts';
import type { Counts } from '../verdict.ts';

/** A database or a bucket that a variable of the service comes from. */
export interface Used {
  readonly name: string;
  readonly is: 'absent' | 'notReady' | 'ready';
}

/** What a service depends on, and what runs of it. */
export interface ServiceObserved {
  readonly source: 'image' | 'git' | 'function';
  readonly project: {
    readonly name: string;
    readonly is: 'absent' | 'notReady' | 'withoutEnvironment' | 'fine';
  };
  readonly environment: string;
  readonly cluster: { readonly name: string; readonly ready: boolean };
  /** The project's connection to the Git host; `none` when the project names none. */
  readonly connection: { readonly name: string; readonly is: 'none' | 'absent' | 'found' };
  /** The Secret of that connection. */
  readonly secret: { readonly name: string; readonly found: boolean };
  /** Where its builds are pushed; empty when nothing says so. */
  readonly registry: string;
  /** Whether the code of a function is longer than it may be. */
  readonly isCodeTooLong: boolean;
  /** The image to run: as given, or by the digest of a build; empty while there is none. */
  readonly image: string;
  /** The databases that its variables come from. */
  readonly databases: readonly Used[];
  /** The buckets that its variables come from. */
  readonly buckets: readonly Used[];
  /** The first source of a variable that is not there, as text: `shared variable "X" of production`. */
  readonly missing: string | null;
  /** The public host that it asks for or has by default, empty for none, and where that leads. */
  readonly host: { readonly name: string; readonly leads: 'here' | 'toAnother' | 'toTheDashboard' };
  /** Whether the applied objects match the spec that runs. */
  readonly workload: 'absent' | 'stale' | 'current';
  /** `asleep` where the serverless add-on holds the service at no copy. */
  readonly pods: 'none' | 'starting' | 'failed' | 'running' | 'asleep';
  /** Whether an attempt is under way: only then a failure counts. */
  readonly attempting: boolean;
  /** Whether that attempt is of the newest deploy. */
  readonly attemptOfDeploy: boolean;
  /** The phase of the build of what is deployed; null where nothing is built. */
  readonly build: BuildPhase | null;
  /** What the cluster offers its copies; found out when it is read. */
  readonly room: AvailableCapacity;
  readonly region: string;
  readonly tags: readonly string[];
  /** Fields that another manager keeps changing back, as sentences; they count as current. */
  readonly contested: readonly string[];
  /** The act that failed in this pass; `permanent` for access denied and an invalid credential or configuration. */
  readonly failure: { readonly counts: Counts; readonly why: string } | null;
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
