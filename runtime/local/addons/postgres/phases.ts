import { conditions, isSaid } from './conditions.ts';
import type { Observed } from './observed.ts';
import type { Step } from './step.ts';

/** The phases of a server, as its operator names them. */
export const phases = {
  healthy: 'Cluster in healthy state',
  primary: 'Setting up primary',
  replica: 'Creating a new replica',
  waiting: 'Waiting for the instances to become active',
  failover: 'Failing over',
  rollout: 'Upgrading cluster',
  restart: 'Primary instance is being restarted without a switchover',
  upgrade: 'Upgrading Postgres major version',
} as const;

/** Whether a server is in a phase, whatever its reason. */
export const isInPhase = ({ status }: Observed, phase: string): boolean => status.phase === phase;

/** Moves a server into a phase; null when it is in that phase for that reason. */
export function inPhase({ status }: Observed, phase: string, reason: string | null): Step | null {
  const ready = phase === phases.healthy ? conditions.isReady : conditions.isNotReady;
  if (status.phase === phase && (status.phaseReason ?? null) === reason && isSaid(status.conditions, ready))
    return null;
  return { is: 'report', status: { phase, phaseReason: reason ?? undefined }, conditions: [ready] };
}
