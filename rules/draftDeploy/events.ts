import type { DraftDeployEvent, DraftDeployState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Narrowed } from '../fact.ts';
import type { DraftDeployFacts } from './facts.ts';
import { hasGate, draftDeployStateOf } from './storedState.ts';
import { someWait } from './waiting.ts';
import { closed, hidden, nothing, sentence, toViewers } from '../words.ts';
import { snapshotMissing } from './gate.ts';

type Place = DraftDeployState | Absence;
const rule = ruleFor<DraftDeployFacts, Place, DraftDeployEvent['type']>();

const isIn = (state: DraftDeployState) => (facts: DraftDeployFacts) => draftDeployStateOf(facts) === state;
/** An object that is being deleted is neither deployed nor saved. */
const stays = ({ deleted }: DraftDeployFacts) => !deleted;
const save = ['save'] as const;
const deploy = ['deploy'] as const;
type WithCapacity = Narrowed<DraftDeployFacts, 'room'>;
const lacksCapacity = ({ deleted, room: { value } }: WithCapacity) => !deleted && value.is === 'tooLittle';
const refusal = ({ room: { value } }: WithCapacity) =>
  value.is === 'tooLittle' ? sentence('{why}', { why: hidden(value.why) }) : nothing;
const listed = (paths: readonly string[]) => (paths.length === 0 ? 'nothing' : paths.join(', '));

/** The record that a rollback deploy restores; null for other deploys. */
const rolledBack = (asked: DraftDeployFacts['asked']) =>
  typeof asked === 'object' && asked?.is === 'deploy' && asked.backTo !== undefined
    ? sentence('rolled back to {record}', { record: toViewers(asked.backTo) })
    : null;

const waits = (paths: readonly string[]) => sentence('waits for a deploy: {listed}', { listed: hidden(listed(paths)) });

/** The stored state comes first, then the capacity that a deploy needs, then the command. */
export const draftDeployEvents: readonly EventRule<DraftDeployFacts, Place, DraftDeployEvent['type']>[] = [
  rule({
    id: 'draft-found',
    in: ['(none)', 'Deployed', 'PendingChanges', 'SnapshotMissing', 'Ungated'],
    finds: true,
    when: isIn('Draft'),
    then: 'draftFound',
    says: () => closed('spec.deploy.enabled is false'),
  }),
  rule({
    id: 'deployed-found',
    in: ['(none)', 'Draft', 'PendingChanges', 'SnapshotMissing', 'Ungated'],
    finds: true,
    when: isIn('Deployed'),
    then: 'deployedFound',
    says: () => closed('spec.deploy.enabled is true and no change waits'),
  }),
  rule({
    id: 'pending-found',
    in: ['(none)', 'Draft', 'Deployed', 'SnapshotMissing', 'Ungated'],
    finds: true,
    when: isIn('PendingChanges'),
    then: 'pendingFound',
    says: ({ stored }) =>
      sentence('changes wait for a deploy: {listed}', { listed: hidden(listed(stored?.pending ?? [])) }),
  }),
  rule({
    id: 'unsnapped-found',
    in: ['(none)', 'Draft', 'Deployed', 'PendingChanges', 'Ungated'],
    finds: true,
    when: isIn('SnapshotMissing'),
    then: 'unsnappedFound',
    says: () => snapshotMissing,
  }),
  rule({
    id: 'ungated-found',
    in: ['(none)', 'Draft', 'Deployed', 'PendingChanges', 'SnapshotMissing'],
    finds: true,
    when: isIn('Ungated'),
    then: 'ungatedFound',
    says: () => closed('without the workflow annotation the spec applies as it is written'),
  }),

  rule({
    id: 'created-without-gate',
    in: ['(none)'],
    answers: ['createDraft', 'createDeployed'],
    when: ({ deleted, kind }) => !deleted && !hasGate(kind),
    then: 'ungatedCreated',
    says: () => closed('this kind has no draft step'),
  }),
  rule({
    id: 'create-unschedulable',
    in: ['(none)'],
    answers: ['createDeployed'],
    refuses: true,
    needs: ['room'],
    when: lacksCapacity,
    then: 'createRefused',
    says: refusal,
  }),
  rule({
    id: 'created-deployed',
    in: ['(none)'],
    answers: ['createDeployed'],
    when: stays,
    then: 'createdDeployed',
    says: () => closed('created and deployed'),
  }),
  rule({
    id: 'created-draft',
    in: ['(none)'],
    answers: ['createDraft'],
    when: stays,
    then: 'created',
    says: () => closed('saved as a draft'),
  }),

  rule({
    id: 'unschedulable',
    in: ['Draft', 'Deployed', 'PendingChanges', 'SnapshotMissing', 'Ungated'],
    answers: deploy,
    refuses: true,
    needs: ['room'],
    when: lacksCapacity,
    then: 'deployRefused',
    says: refusal,
  }),
  rule({
    id: 'first-deployed',
    in: ['Draft', 'PendingChanges', 'SnapshotMissing'],
    answers: deploy,
    when: stays,
    then: 'deployed',
    says: ({ asked }) => rolledBack(asked) ?? closed('deployed as it is saved'),
  }),
  rule({
    id: 'deployed-again',
    in: ['Deployed', 'Ungated'],
    answers: deploy,
    when: stays,
    then: 'redeployed',
    says: ({ asked }) => rolledBack(asked) ?? closed('redeployed to restart its pods'),
  }),
  rule({
    id: 'stopped',
    in: ['Deployed', 'PendingChanges', 'SnapshotMissing', 'Ungated'],
    answers: ['stop'],
    when: ({ deleted, kind }) => !deleted && hasGate(kind),
    then: 'stopped',
    says: () => closed('stopped; deleting its workload'),
  }),

  rule({
    id: 'draft-saved',
    in: ['Draft'],
    answers: save,
    when: stays,
    then: 'draftSaved',
    says: ({ changed }) => sentence('saved in the draft: {listed}', { listed: hidden(listed(changed)) }),
  }),
  rule({
    id: 'change-saved',
    in: ['Deployed'],
    answers: save,
    when: ({ deleted, differing }) => !deleted && someWait(differing),
    then: 'changeSaved',
    look: { afterMs: 0 },
    says: ({ differing }) => waits(differing),
  }),
  rule({
    id: 'reverted',
    in: ['PendingChanges'],
    answers: save,
    when: ({ deleted, differing }) => !deleted && !someWait(differing),
    then: 'changeReverted',
    says: () => closed('nothing differs any more from what was deployed'),
  }),
  rule({
    id: 'more-saved',
    in: ['PendingChanges', 'SnapshotMissing'],
    answers: save,
    when: ({ deleted, changed }) => !deleted && someWait(changed),
    then: 'changeSaved',
    says: ({ changed }) => waits(changed),
  }),
  rule({
    id: 'at-once-saved',
    in: ['Deployed', 'PendingChanges', 'SnapshotMissing', 'Ungated'],
    answers: save,
    when: stays,
    then: 'atOnceSaved',
    says: ({ changed }) => sentence('applies at once: {listed}', { listed: hidden(listed(changed)) }),
  }),
  rule({
    id: 'edit-found',
    in: ['Deployed'],
    when: ({ deleted, stored, differing }) => !deleted && stored?.snapshot === true && someWait(differing),
    then: 'editFound',
    says: ({ differing }) =>
      sentence('edited by hand, waits for a deploy: {listed}', { listed: hidden(listed(differing)) }),
  }),
];
