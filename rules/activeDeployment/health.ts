import type { VerdictRule } from '../verdict.ts';
import type { WorkloadSeen } from './facts.ts';

export interface HealthSeen extends WorkloadSeen {
  readonly asleep: boolean;
}

/** `status.phase` and `status.healthCheck` of `<app>-active`: the message is the value that is written. */
export const health: readonly VerdictRule<HealthSeen, string>[] = [
  { reason: 'Asleep', status: 'True', when: ({ asleep }) => asleep, message: () => 'Available' },
  {
    reason: 'Available',
    status: 'True',
    when: ({ wanted, available }) => available >= wanted,
    message: () => 'Available',
  },
  { reason: 'RollingOut', status: 'False', when: () => true, message: () => 'RollingOut' },
];
