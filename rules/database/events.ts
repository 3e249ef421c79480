import type { DatabaseEvent, DatabaseState } from '../../machines/names.ts';
import { type Absence, type EventRule, ruleFor } from '../engine.ts';
import type { Known } from '../fact.ts';
import type { DatabaseFacts, DatabaseObserved } from './facts.ts';
import { blockerIn, blockersWith } from './blockers.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';
import { awaitsRestore, isBackedUp, servesMeanwhile } from './wanted.ts';
import { closed, external, hidden, joined, sentence } from '../words.ts';
import { resourceWaits } from '../draftDeploy/gate.ts';
import {
  deployedAgainRules,
  deployedStates,
  deployTakenUp,
  gateRules,
  givingUpRules,
  hasCounted,
  isDraft,
  requeue,
} from '../provision/events.ts';
import { isBlockedBy } from '../provision/blockers.ts';

type State = DatabaseState | Absence;
type Event = DatabaseEvent['type'];

const rule = ruleFor<DatabaseFacts, State, Event>();
const always = () => true;
const now = { afterMs: 0 };

const alive = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed'] as const;

interface DatabaseAround {
  readonly gate: DatabaseFacts['gate'];
  readonly retry: DatabaseFacts['retry'];
  readonly wanted: DatabaseFacts['wanted'];
  readonly restore: DatabaseFacts['restore'];
  readonly around: Known<DatabaseObserved>;
}
/** What was observed, taken from the facts. */
export const seenIn = ({ gate, wanted, restore, around }: DatabaseAround) => ({
  ...around.value,
  gate,
  wanted,
  restore,
});
const isInCluster = ({ wanted }: Pick<DatabaseFacts, 'wanted'>) => wanted.placement === 'InCluster';
/** Known here, because a rule above has already asked for the fact. */
const overwrittenIn = (around: DatabaseFacts['around']) => (around.is === 'known' ? around.value.contested : []);
const isDeleted = ({ deletedAt }: Pick<DatabaseFacts, 'deletedAt'>) => deletedAt !== null;

/** The events of a database: deletion, the gate, what to apply, what blocks it, what remains to be done. */
export function databaseEventsWith(limits: DatabaseLimits): readonly EventRule<DatabaseFacts, State, Event>[] {
  const blockers = blockersWith(limits);
  const blockerOf = (facts: DatabaseAround) => blockerIn(seenIn(facts), blockers);
  const counts = (facts: DatabaseAround) => blockerOf(facts)?.counts === 'counted' && hasCounted(facts);
  const isBlocked = (facts: DatabaseAround) => isBlockedBy(blockers, seenIn(facts));
  const blockerMessage = (facts: DatabaseAround) => blockerOf(facts)?.message(seenIn(facts)) ?? closed('it failed');
  const backupEnds = ({ deletedAt }: Pick<DatabaseFacts, 'deletedAt'>) => (deletedAt ?? 0) + limits.finalBackupMs;

  return [
    rule({
      id: 'created-draft',
      in: ['(none)'],
      when: isDraft,
      then: 'createdAsDraft',
      says: () => resourceWaits,
    }),
    rule({
      id: 'created-open',
      in: ['(none)'],
      when: always,
      then: 'createdOpen',
      says: () => closed('created without a draft; provisioning'),
      look: now,
    }),

    rule({
      id: 'deleted-with-backups',
      in: alive,
      when: (facts) => isDeleted(facts) && isBackedUp(facts.wanted),
      then: 'finalBackupDue',
      says: () => closed('deleted: one last backup is taken'),
      look: now,
    }),
    rule({
      id: 'deleted',
      in: alive,
      when: isDeleted,
      then: 'deletionSeen',
      says: () => closed('deletion requested; deleting its workload'),
      look: now,
    }),
    // Recorded before its Job can be removed with everything else, because a backup is loaded only once.
    rule({
      id: 'restore-finished',
      in: ['Provisioning', 'ProvisionFailed'],
      when: (facts) => awaitsRestore(facts) && facts.restore.job === 'succeeded',
      then: 'restoreFinished',
      says: () => closed('the backup is loaded'),
      look: now,
    }),
    ...gateRules(deployedStates),
    ...deployedAgainRules,
    deployTakenUp(deployedStates, () => closed('new deploy observed')),
    ...givingUpRules({ says: blockerMessage }, deployedStates),
    rule({
      id: 'apply-awaited',
      in: ['Ready'],
      needs: ['around'],
      when: ({ around }) => servesMeanwhile(around.value),
      then: 'applyAwaited',
      says: ({ around }) => external(around.value.failure?.why ?? ''),
      look: requeue,
    }),
    // Precedes the blockers of what is already applied, because a changed spec has to replace failing pods.
    rule({
      id: 'workload-due',
      in: deployedStates,
      needs: ['around'],
      when: (facts) => isInCluster(facts) && facts.around.value.workload !== 'current' && !isBlocked(facts),
      then: 'workloadDue',
      says: () => closed('workload applied'),
      look: requeue,
    }),
    rule({
      id: 'storage-unavailable',
      in: deployedStates,
      needs: ['around'],
      when: (facts) => counts(facts) && blockerOf(facts)?.kind === 'storageUnavailable',
      then: 'storageUnavailable',
      says: blockerMessage,
      look: requeue,
    }),
    rule({
      id: 'failure-counted',
      in: deployedStates,
      needs: ['around'],
      when: counts,
      then: 'failureCounted',
      says: blockerMessage,
      look: requeue,
    }),
    rule({
      id: 'restore-due',
      in: ['Provisioning'],
      needs: ['around'],
      when: (facts) => blockerOf(facts)?.kind === 'restoring' && facts.restore.job === 'absent',
      then: 'restoreDue',
      says: () => closed('the backup is being loaded'),
      look: requeue,
    }),
    rule({
      id: 'waiting',
      in: deployedStates,
      needs: ['around'],
      when: (facts) => blockerOf(facts)?.counts === 'waiting',
      then: 'waitFound',
      says: blockerMessage,
      look: requeue,
    }),
    rule({
      id: 'failure-repeated',
      in: deployedStates,
      needs: ['around'],
      when: (facts) => blockerOf(facts) !== undefined,
      then: 'failureRepeated',
      says: (facts) => sentence('{hindrance}; not counted in this pass', { hindrance: blockerMessage(facts) }),
      look: requeue,
    }),
    rule({
      id: 'external-accepted',
      in: ['Provisioning'],
      needs: ['around'],
      when: (facts) => !isInCluster(facts) && !facts.wanted.managed,
      then: 'externalAccepted',
      says: () => closed('connection of the external database written, not tested'),
    }),
    rule({
      id: 'connection-due',
      in: deployedStates,
      needs: ['around'],
      when: (facts) => !facts.around.value.connected,
      then: 'connectionDue',
      says: () => closed('the connection Secret was written'),
      look: now,
    }),
    rule({
      id: 'provisioned',
      in: ['Provisioning'],
      when: always,
      then: 'provisioned',
      says: () => closed('everything runs, and the connection Secret is written'),
    }),
    rule({
      id: 'rests-ready',
      in: ['Ready'],
      when: always,
      then: 'restedReady',
      says: ({ around }) =>
        joined([closed('everything runs as deployed'), ...overwrittenIn(around).map(external)], '; '),
    }),

    rule({
      id: 'backup-finished',
      in: ['FinalBackup'],
      needs: ['finalBackup'],
      when: ({ finalBackup }) => finalBackup.value === 'finished',
      then: 'finalBackupFinished',
      says: () => closed('the last backup is finished: the archive is kept for 7 days'),
    }),
    rule({
      id: 'backup-waited-out',
      in: ['FinalBackup'],
      when: (facts) => facts.now >= backupEnds(facts),
      then: 'finalBackupWaitedOut',
      says: () => closed('the last backup did not finish within 10 minutes: the archive is kept for 7 days'),
    }),
    rule({
      id: 'backup-retried',
      in: ['FinalBackup'],
      needs: ['finalBackup'],
      when: ({ finalBackup }) => finalBackup.value === 'failed' || finalBackup.value === 'absent',
      then: 'finalBackupRetried',
      says: () => closed('retrying the final backup'),
      look: requeue,
    }),
    rule({
      id: 'backup-awaited',
      in: ['FinalBackup'],
      when: always,
      then: 'finalBackupAwaited',
      says: () => closed('waiting for the last backup'),
      look: { at: 'backupLimit', moment: backupEnds },
    }),
    rule({
      id: 'workload-deleted',
      in: ['Deleting'],
      needs: ['remains'],
      when: ({ remains }) => remains.value.length === 0,
      then: 'workloadDeleted',
      says: () => closed('all resources deleted'),
    }),
    rule({
      id: 'workload-remains',
      in: ['Deleting'],
      needs: ['remains'],
      when: always,
      then: 'workloadRemains',
      says: ({ remains }) => sentence('still being deleted: {left}', { left: hidden(remains.value.join(', ')) }),
      look: requeue,
    }),
  ];
}

export const databaseEvents = databaseEventsWith(databaseLimits);
