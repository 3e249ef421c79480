import { annotation } from '../../crds/names.ts';
import type { Condition } from '../condition.ts';
import type { KindHealth } from './kinds.ts';

/** What a tool that keeps resources in git should think of an object: the words of kstatus, and Suspended. */
export type HealthStatus = 'Current' | 'InProgress' | 'Failed' | 'Suspended' | 'Terminating';

export interface Health {
  readonly status: HealthStatus;
  readonly message: string;
}

/** What of an object its health is read from. */
export interface HealthFacts {
  readonly metadata: {
    readonly generation?: number;
    readonly deletionTimestamp?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly phase?: string;
    readonly observedGeneration?: number;
    readonly logRef?: string;
    readonly reconcileRetry?: { readonly gaveUp?: boolean };
    readonly conditions?: readonly Pick<Condition, 'type' | 'status' | 'message'>[];
  };
}

const { paused } = annotation;

/** The sentences of health that no object says itself. */
export const healthMessages = {
  deleting: 'It is being deleted',
  paused: `The annotation ${paused} stops it`,
  undecided: 'The newest generation was not decided over yet',
  waiting: 'It has no state yet',
} as const;

const has = (phases: readonly string[] | undefined, phase: string) => phases?.includes(phase) ?? false;

/**
 * The health of an object, of its kind: `Failed` only where no retry follows by itself, and never done for a generation that
 * was not decided over.
 */
export function healthOf({ metadata, status = {} }: HealthFacts, kind: KindHealth): Health {
  const outranked = beforeState(metadata, status.observedGeneration);
  if (outranked !== null) return outranked;
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const message = ready?.message || status.phase || healthMessages.waiting;
  return { status: statusIn(kind, status, ready?.status), message };
}

/** What counts before the state does. */
function beforeState(
  { deletionTimestamp, annotations, generation = 0 }: HealthFacts['metadata'],
  observedGeneration: number | undefined,
): Health | null {
  if (deletionTimestamp !== undefined) return { status: 'Terminating', message: healthMessages.deleting };
  if (annotations?.[paused] === 'true') return { status: 'Suspended', message: healthMessages.paused };
  if (observedGeneration === undefined || observedGeneration < generation)
    return { status: 'InProgress', message: healthMessages.undecided };
  return null;
}

type Status = NonNullable<HealthFacts['status']>;

function statusIn(kind: KindHealth, status: Status, ready: string | undefined): HealthStatus {
  const { phase = '', reconcileRetry } = status;
  if (has(kind.suspended, phase)) return 'Suspended';
  if (reconcileRetry?.gaveUp === true || hasFailed(kind, status)) return 'Failed';
  return has(kind.current, phase) || isDone(kind, ready) ? 'Current' : 'InProgress';
}

const hasFailed = ({ failed, failedRuns }: KindHealth, { phase = '', logRef = '' }: Status) =>
  has(failed, phase) || (has(failedRuns, phase) && logRef !== '');

const isDone = ({ otherwise }: KindHealth, ready: string | undefined): boolean =>
  otherwise === 'current' || (otherwise === 'ready' && ready === 'True');
