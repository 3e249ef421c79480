import type { FunctionSettled } from '../function/settled.ts';
import type { Placement } from '../placement.ts';
import type { Injected } from './injected.ts';

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
  /** The number of copies to write; null while an autoscaler decides it. */
  readonly replicas: number | null;
  /** Whether a pod more than wanted may run during a rollout. */
  readonly surges: boolean;
  /** What a function runs with; null for every other service. */
  readonly function: FunctionSettled | null;
  /** The logs of the project's pods are not shipped to the shared store. */
  readonly logsStay: boolean;
}
