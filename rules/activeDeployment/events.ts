import type { ActiveDeploymentEvent, ActiveDeploymentState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { firstHeld } from '../verdict.ts';
import type { ActiveDeploymentFacts } from './facts.ts';
import { health } from './health.ts';
import { closed, sentence, toViewers } from '../words.ts';

type Place = ActiveDeploymentState | Absence;
const rule = ruleFor<ActiveDeploymentFacts, Place, ActiveDeploymentEvent['type']>();

/** The verdict over the Deployment; null when there is nothing to record. */
const verdict = ({ deployed, workload, asleep }: ActiveDeploymentFacts) =>
  deployed && workload !== null ? firstHeld('Health', health, { ...workload, asleep }) : null;
const is = (status: 'True' | 'False') => (facts: ActiveDeploymentFacts) => verdict(facts)?.status === status;
const sleeps = (facts: ActiveDeploymentFacts) => verdict(facts)?.reason === 'Asleep';
const counted = ({ workload, asleep }: ActiveDeploymentFacts) =>
  sentence('{available} of {wanted} replicas are available', {
    available: toViewers(workload?.available ?? 0),
    wanted: toViewers(asleep ? 0 : (workload?.wanted ?? 0)),
  });

/** Sleep is checked before any replica count, because a service that sleeps should have no replica. */
export const activeDeploymentEvents: readonly EventRule<ActiveDeploymentFacts, Place, ActiveDeploymentEvent['type']>[] =
  [
    rule({ id: 'first-available', in: ['(none)'], when: is('True'), then: 'availableRecorded', says: counted }),
    rule({ id: 'first-rollout', in: ['(none)'], when: is('False'), then: 'rolloutRecorded', says: counted }),

    rule({
      id: 'asleep',
      in: ['RollingOut', 'Available'],
      when: sleeps,
      then: 'fellAsleep',
      says: () => closed('the service is asleep'),
    }),
    rule({ id: 'reached', in: ['RollingOut'], when: is('True'), then: 'replicasReached', says: counted }),
    rule({ id: 'rolling-out', in: ['RollingOut'], when: is('False'), then: 'stillRollingOut', says: counted }),
    rule({ id: 'missed', in: ['Available'], when: is('False'), then: 'replicasMissed', says: counted }),
    rule({ id: 'available', in: ['Available'], when: is('True'), then: 'stayedAvailable', says: counted }),
  ];
