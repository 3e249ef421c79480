import type { ActiveDeploymentEvent, ActiveDeploymentState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { ActiveDeploymentFacts } from '../../../rules/activeDeployment/facts.ts';
import type { HealthSeen } from '../../../rules/activeDeployment/health.ts';

/** What happened to `<app>-active`, according to document 000. */
export function documents(
  state: ActiveDeploymentState | Absence,
  { deployed, workload, asleep }: ActiveDeploymentFacts,
): ActiveDeploymentEvent['type'] | null {
  if (!deployed) return null;
  if (!workload) return null;
  const lacks = !asleep && workload.available < workload.wanted;
  if (state === '(none)') return lacks ? 'rolloutRecorded' : 'availableRecorded';
  if (asleep) return 'fellAsleep';
  if (state === 'RollingOut') return lacks ? 'stillRollingOut' : 'replicasReached';
  return lacks ? 'replicasMissed' : 'stayedAvailable';
}

/** The health of a Deployment, by the row of "Health". */
export function healthDocuments({ wanted, available, asleep }: HealthSeen): string {
  if (asleep) return 'DEP-062';
  return available < wanted ? 'DEP-057' : 'DEP-061';
}
