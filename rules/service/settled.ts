import type { FunctionSettled } from '../function/settled.ts';
import type { Placement } from '../placement.ts';
import type { Injected } from './injected.ts';
import type { Additions } from './template.ts';
import type { WakePlan } from './wakePlan.ts';

/** What decides whether a pod more than wanted may run while the pods are replaced. */
export interface Rollout {
  /** The annotation `rollout` of the Deployment as it stands; empty without one. */
  readonly stands: string;
  /** What a version of Core has added to its template. */
  readonly added: Additions;
  /** Whether a node has room for one pod more; computed when a rollout begins. */
  readonly hasRoom: () => boolean;
}

/** What a service runs with besides its spec. */
export interface Settled {
  readonly image: string;
  readonly placement: Placement;
  /** A change restarts the pods; empty without a deploy. */
  readonly deployRevision: string;
  /** A service without a gate restarts when this changes, because none of its variables waits for a deploy. */
  readonly variablesRevision: string;
  /** Variables that come from elsewhere than the service's own. */
  readonly injected: readonly Injected[];
  /** The content of its Secret: the values of its secret variables, as the API gives them. */
  readonly secretData: Readonly<Record<string, string>>;
  /** The content of its pull Secret; null when nodes need none. */
  readonly pullConfig: string | null;
  /** The public host, given or by default; empty when it has none. */
  readonly host: string;
  /** The number of copies to write; null while an autoscaler or the serverless add-on decides it. */
  readonly replicas: number | null;
  readonly rollout: Rollout;
  /** What stands of what lets it sleep. */
  readonly wake: WakePlan;
  /** What a function runs with; null for every other service. */
  readonly function: FunctionSettled | null;
}
