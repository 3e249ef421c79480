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

/** Why an object is not judged by what its passes reported: it goes, it is stopped, or its newest spec was not seen. */
function beforeStatus({ metadata, status }: HealthFacts): Health | undefined {
  const { deletionTimestamp, annotations, generation = 0 } = metadata;
  if (deletionTimestamp !== undefined) return { status: 'Terminating', message: healthMessages.deleting };
  if (annotations?.[paused] === 'true') return { status: 'Suspended', message: healthMessages.paused };
  if ((status?.observedGeneration ?? -1) < generation)
    return { status: 'InProgress', message: healthMessages.undecided };
  return undefined;
}

/**
 * The health of an object, of its kind: `Failed` only where no retry follows by itself, and never done for a generation that
 * was not decided over.
 */
export function healthOf(object: HealthFacts, kind: KindHealth): Health {
  const before = beforeStatus(object);
  if (before !== undefined) return before;
  const { status = {} } = object;
  const { phase = '', conditions, reconcileRetry } = status;
  const ready = conditions?.find(({ type }) => type === 'Ready');
  const message = ready?.message || phase || healthMessages.waiting;
  if (has(kind.suspended, phase)) return { status: 'Suspended', message };
  if (reconcileRetry?.gaveUp === true || hasFailed(kind, status)) return { status: 'Failed', message };
  const isCurrent = has(kind.current, phase) || isDone(kind, ready?.status);
  return { status: isCurrent ? 'Current' : 'InProgress', message };
}

const hasFailed = (
  { failed, failedRuns }: KindHealth,
  { phase = '', logRef = '' }: NonNullable<HealthFacts['status']>,
) => has(failed, phase) || (has(failedRuns, phase) && logRef !== '');

const isDone = ({ otherwise }: KindHealth, ready: string | undefined): boolean =>
  otherwise === 'current' || (otherwise === 'ready' && ready === 'True');
