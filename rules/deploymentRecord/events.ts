import type { DeploymentRecordEvent, DeploymentRecordState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { DeploymentRecordFacts } from './facts.ts';
import { newerRecords } from './newer.ts';
import { sentence, toViewers } from '../words.ts';

/** The limits of deployment records. */
export const deploymentRecordLimits = { keptRecords: 12 } as const;

type Limits = Readonly<Record<keyof typeof deploymentRecordLimits, number>>;
type Place = DeploymentRecordState | Absence;
type Rule = EventRule<DeploymentRecordFacts, Place, DeploymentRecordEvent['type']>;
const rule = ruleFor<DeploymentRecordFacts, Place, DeploymentRecordEvent['type']>();

const happened = {
  deploy: 'it was deployed',
  rollback: 'it was rolled back',
  clearDomain: 'its domain was cleared',
} as const;

/** A deploy creates a record; it is deleted with its service or when enough newer ones exist. */
export const deploymentRecordEventsWith = (limits: Limits): readonly Rule[] => [
  rule({
    id: 'deploy-recorded',
    in: ['(none)'],
    when: ({ done, appDeleted }) => done !== null && !appDeleted,
    then: 'recorded',
    says: ({ app, done }) =>
      sentence('service "{app}": {what}', {
        app: toViewers(app),
        what: toViewers(done === null ? 'nothing happened' : happened[done]),
      }),
  }),
  rule({
    id: 'app-deleted',
    in: ['Recorded'],
    when: ({ appDeleted }) => appDeleted,
    then: 'appDeleted',
    says: ({ app }) => sentence('service "{app}" is deleted', { app: toViewers(app) }),
  }),
  rule({
    id: 'beyond-kept',
    in: ['Recorded'],
    when: (facts) => facts.added && newerRecords(facts) >= limits.keptRecords,
    then: 'outlived',
    says: (facts) =>
      sentence('{newerRecords} newer records of the service exist, {keptRecords} are kept', {
        newerRecords: toViewers(newerRecords(facts)),
        keptRecords: toViewers(limits.keptRecords),
      }),
  }),
  rule({
    id: 'newer-counted',
    in: ['Recorded'],
    when: ({ added }) => added,
    then: 'newerCounted',
    says: (facts) =>
      sentence('{newerRecords} newer records of the service exist', { newerRecords: toViewers(newerRecords(facts)) }),
  }),
];

export const deploymentRecordEvents = deploymentRecordEventsWith(deploymentRecordLimits);
