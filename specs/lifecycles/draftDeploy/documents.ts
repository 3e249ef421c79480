import type { DraftDeployEvent, DraftDeployState } from '../../../machines/names.ts';
import type { Absence } from '../../../rules/engine.ts';
import type { DraftDeployFacts } from '../../../rules/draftDeploy/facts.ts';
import type { GateSeen } from '../../../rules/draftDeploy/gate.ts';
import type { StateSeen } from '../../../rules/state.ts';
import { valueOf } from '../../support/facts.ts';

type Event = DraftDeployEvent['type'];
type ExpectedEvent = (facts: DraftDeployFacts) => Event | null;

/** Reads the fields of a resource as the table "How the state is kept" does. */
function written({ kind, stored }: Pick<DraftDeployFacts, 'kind' | 'stored'>): DraftDeployState | 'nothing' {
  if (!stored) return 'nothing';
  const { workflow, enabled, pending, snapshot } = stored;
  if (kind === 'logicalDatabase') return 'Ungated';
  if ((workflow || kind === 'service') && !enabled) return 'Draft';
  if (workflow && pending.length > 0) return snapshot ? 'PendingChanges' : 'SnapshotMissing';
  return workflow ? 'Deployed' : 'Ungated';
}

const foundAs: Readonly<Record<DraftDeployState, Event>> = {
  Draft: 'draftFound',
  Deployed: 'deployedFound',
  PendingChanges: 'pendingFound',
  SnapshotMissing: 'unsnappedFound',
  Ungated: 'ungatedFound',
};

/** Replica count, autoscaling and sleep, host and TLS, backup settings; everything else waits for a deploy. */
const atOnce = /^spec\.(replicas|autoscaling|scaleToZero|networking\.(host|tls)|backup)(\.|$)/;
const waits = (paths: readonly string[]) => paths.filter((path) => !atOnce.test(path)).length > 0;

const afterFound: Readonly<Record<DraftDeployState | Absence, ExpectedEvent>> = {
  '(none)': ({ kind, asked, room }) => {
    if (asked !== 'createDraft' && asked !== 'createDeployed') return null;
    if (kind === 'logicalDatabase') return 'ungatedCreated';
    if (asked === 'createDraft') return 'created';
    return valueOf(room).is === 'enough' ? 'createdDeployed' : 'createRefused';
  },
  Draft: ({ asked }) => {
    if (asked === 'deploy') return 'deployed';
    return asked === 'save' ? 'draftSaved' : null;
  },
  Deployed: ({ asked, stored, differing }) => {
    if (asked === 'deploy') return 'redeployed';
    if (asked === 'save') return waits(differing) ? 'changeSaved' : 'atOnceSaved';
    return asked === null && stored?.snapshot && waits(differing) ? 'editFound' : null;
  },
  PendingChanges: ({ asked, changed, differing }) => {
    if (asked === 'deploy') return 'deployed';
    if (asked !== 'save') return null;
    if (!waits(differing)) return 'changeReverted';
    return waits(changed) ? 'changeSaved' : 'atOnceSaved';
  },
  SnapshotMissing: ({ asked, changed }) => {
    if (asked === 'deploy') return 'deployed';
    if (asked !== 'save') return null;
    return waits(changed) ? 'changeSaved' : 'atOnceSaved';
  },
  Ungated: ({ asked }) => {
    if (asked === 'deploy') return 'redeployed';
    return asked === 'save' ? 'atOnceSaved' : null;
  },
};

/** What happened, according to document 001. */
export function documents(state: DraftDeployState | Absence, facts: DraftDeployFacts): Event | null {
  const is = written(facts);
  if (is !== 'nothing' && is !== state) return foundAs[is];
  if (facts.deleted) return null;
  if (state !== '(none)' && facts.asked === 'deploy' && valueOf(facts.room).is === 'tooLittle') return 'deployRefused';
  const hasGate = facts.kind !== 'logicalDatabase';
  if (facts.asked === 'stop') return hasGate && state !== 'Draft' && state !== '(none)' ? 'stopped' : null;
  return afterFound[state](facts);
}

/** The verdict of the gate, by the row of "Gate". */
export function gateDocuments(seen: GateSeen): string {
  const is = written(seen);
  if (is === 'SnapshotMissing') return 'DB-171';
  if (is !== 'Draft') return 'KND-058';
  return seen.kind === 'service' ? 'DB-170' : 'DB-169';
}

/** The reported state, by the row of "Reported". */
export function reportedDocuments(seen: StateSeen): string {
  const { deleting, hasGate, deployEnabled, deploySeen, ready, reason } = seen;
  if (deleting) return 'DB-153';
  if (!deployEnabled && hasGate) return 'DB-154';
  if (!deploySeen) return 'DB-157a';
  if (ready) return 'DB-155';
  return reason === 'ProvisionFailed' ? 'DB-156' : 'DB-157';
}
