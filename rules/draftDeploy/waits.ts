import type { DraftDeployState } from '../../machines/names.ts';
import type { DeployedKind } from './facts.ts';
import { draftDeployStateOf } from './storedState.ts';
import { type Deployable, deployStored, pendingOf } from './stored.ts';
import { isDeleting } from '../deleting.ts';

/** The state of the gate, as stored in an object. */
export const gateStateOf = (kind: DeployedKind, object: Deployable): DraftDeployState =>
  draftDeployStateOf({ kind, stored: deployStored(object) }) ?? 'Ungated';

/** Whether each saved change of an object takes effect without a deploy. */
export const appliesAtOnce = (kind: DeployedKind, object: Deployable): boolean =>
  gateStateOf(kind, object) === 'Ungated';

/** The kinds of change that wait for a deploy; none without the gate, whose annotations then mean nothing. */
export const waitingKinds = (kind: DeployedKind, object: Deployable): readonly string[] =>
  appliesAtOnce(kind, object) ? [] : pendingOf(object);

/**
 * Whether an object has changes to deploy, a draft as a whole: counted in lists, and deployed with its environment. An
 * object being deleted does not count.
 */
export const waitsForDeploy = (kind: DeployedKind, object: Deployable): boolean =>
  !isDeleting(object) && !['Deployed', 'Ungated'].includes(gateStateOf(kind, object));
