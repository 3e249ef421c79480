import type { KubeObject } from '../crds/kind.ts';
import { annotation } from '../crds/names.ts';
import { type Condition, conditionOf } from './condition.ts';
import { messageOf, type VerdictRule } from './verdict.ts';
import { isDeleting } from './deleting.ts';

/** The inputs of an object's state, whatever its kind. */
export interface StateSeen {
  readonly deleting: boolean;
  /** Whether the kind has `spec.deploy`; a logical database has none and is never a draft. */
  readonly hasGate: boolean;
  readonly deployEnabled: boolean;
  /** The controller has observed the newest deploy. */
  readonly deploySeen: boolean;
  readonly ready: boolean;
  readonly reason: string;
}

export const states = ['deleting', 'draft', 'ready', 'failed', 'pending'] as const;
/** The state that API, pages, command line and agent tools report for any kind with a Ready condition. */
export type State = (typeof states)[number];

interface StateRule extends VerdictRule<StateSeen, State> {
  readonly message: () => State;
}

/**
 * The state in the order checked; the message is its label. The gate counts here even without the workflow annotation.
 */
export const reported: readonly StateRule[] = [
  { reason: 'Deleting', status: 'Unknown', when: ({ deleting }) => deleting, message: () => 'deleting' },
  {
    reason: 'Draft',
    status: 'Unknown',
    when: ({ hasGate, deployEnabled }) => hasGate && !deployEnabled,
    message: () => 'draft',
  },
  // Ready describes the previous deploy until the controller has observed this one.
  { reason: 'Unseen', status: 'Unknown', when: ({ deploySeen }) => !deploySeen, message: () => 'pending' },
  { reason: 'Ready', status: 'Unknown', when: ({ ready }) => ready, message: () => 'ready' },
  { reason: 'Failed', status: 'Unknown', when: ({ reason }) => reason === 'ProvisionFailed', message: () => 'failed' },
  { reason: 'Pending', status: 'Unknown', when: () => true, message: () => 'pending' },
];

/** The parts of an object that its state is derived from. */
export interface Reported extends KubeObject {
  readonly spec?: { readonly deploy?: { readonly enabled?: boolean } };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly deployRevision?: string };
}

/** A deploy counts as observed when the status names the revision in the annotation. */
function isDeploySeen({ metadata, status }: Reported): boolean {
  const deployed = metadata.annotations?.[annotation.deployRevision];
  return deployed === undefined || deployed === status?.deployRevision;
}

/** The state of an object. */
export function stateOf(object: Reported, deploySeen: boolean = isDeploySeen(object)): State {
  const { metadata, spec } = object;
  const ready = conditionOf(object, 'Ready');
  const seen: StateSeen = {
    deleting: isDeleting({ metadata }),
    hasGate: spec?.deploy !== undefined,
    deployEnabled: spec?.deploy?.enabled === true,
    deploySeen,
    ready: ready?.status === 'True',
    reason: ready?.reason ?? '',
  };
  return messageOf('state', reported, seen);
}
