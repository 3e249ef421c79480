import type { DeploymentRecordEvent, DeploymentRecordState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import { sentence, toViewers } from '../words.ts';
import type { DeploymentRecordFacts } from './facts.ts';

/** The limits of deployment records. */
export const deploymentRecordLimits = { keptRecords: 12 } as const;

type Place = DeploymentRecordState | Absence;
const rule = ruleFor<DeploymentRecordFacts, Place, DeploymentRecordEvent['type']>();

/** A new record is announced once and then never changes; its ensures delete it. */
export const deploymentRecordEvents: readonly EventRule<DeploymentRecordFacts, Place, DeploymentRecordEvent['type']>[] =
  [
    rule({
      id: 'deploy-recorded',
      in: ['(none)'],
      when: ({ deployedAt }) => deployedAt !== null,
      then: 'recorded',
      says: ({ app }) => sentence('a deploy of service "{app}" is recorded', { app: toViewers(app) }),
    }),
    rule({
      id: 'newer-counted',
      in: ['Recorded'],
      when: () => true,
      then: 'newerCounted',
      says: ({ newer }) =>
        sentence('{newer} newer records of the service exist, {kept} are kept', {
          newer: toViewers(newer),
          kept: toViewers(deploymentRecordLimits.keptRecords),
        }),
    }),
  ];
