import type { FunctionSettled } from '../function/settled.ts';
import type { Placement } from '../placement.ts';
import type { Injected } from './injected.ts';
import type { Additions } from './template.ts';
import type { WakePlan } from './wakePlan.ts';

/** The inputs for whether a rollout may use a surge pod. */
export interface Rollout {
  /** The current annotation `rollout` of the Deployment; empty without one. */
  readonly stands: string;
  /** The additions of a version of Core to its template. */
  readonly added: Additions;
  /** Whether a node has capacity for one more pod; computed when a rollout begins. */
  readonly hasRoom: () => boolean;
}

/** The settings of a service besides its spec. */
export interface Settled {
  readonly image: string;
  readonly placement: Placement;
  /** A change restarts the pods; empty without a deploy. */
  readonly deployRevision: string;
  /** A service without a gate restarts when this changes, because none of its variables waits for a deploy. */
  readonly variablesRevision: string;
  /** Variables from other sources than the service's own. */
  readonly injected: readonly Injected[];
  /** The content of its Secret: the base64 values of its secret variables. */
  readonly secretData: Readonly<Record<string, string>>;
  /** The content of its pull Secret; null when nodes need none. */
  readonly pullConfig: string | null;
  /** The public host, given or by default; empty when it has none. */
  readonly host: string;
  /** The number of copies to write; null while an autoscaler or the serverless add-on decides it. */
  readonly replicas: number | null;
  readonly rollout: Rollout;
  /** The desired sleep objects. */
  readonly wake: WakePlan;
  /** The settings of a function; null for other services. */
  readonly function: FunctionSettled | null;
}
