import type { KubeObject } from '../crds/kind.ts';
import { annotation } from '../crds/names.ts';
import { type Condition, conditionOf } from './condition.ts';
import { messageOf, type VerdictRule } from './verdict.ts';

/** What the state of an object is read from, whatever its kind. */
export interface StateSeen {
  readonly deleting: boolean;
  /** Whether the kind has `spec.deploy`; a logical database has none and is never a draft. */
  readonly hasGate: boolean;
  readonly deployEnabled: boolean;
  /** The controller has taken up the newest deploy. */
  readonly deploySeen: boolean;
  readonly ready: boolean;
  readonly reason: string;
}

export const states = ['deleting', 'draft', 'ready', 'failed', 'pending'] as const;
/** What API, pages, command line and agent tools report of any object of a kind with a Ready condition. */
export type State = (typeof states)[number];

interface StateRule extends VerdictRule<StateSeen, State> {
  readonly message: () => State;
}

/** The state in the order checked: its word is the message. The gate counts here even without the workflow annotation. */
export const reported: readonly StateRule[] = [
  { reason: 'Deleting', status: 'Unknown', when: ({ deleting }) => deleting, message: () => 'deleting' },
  {
    reason: 'Draft',
    status: 'Unknown',
    when: ({ hasGate, deployEnabled }) => hasGate && !deployEnabled,
    message: () => 'draft',
  },
  // What Ready says is about the deploy before, until this one was taken up.
  { reason: 'Unseen', status: 'Unknown', when: ({ deploySeen }) => !deploySeen, message: () => 'pending' },
  { reason: 'Ready', status: 'Unknown', when: ({ ready }) => ready, message: () => 'ready' },
  { reason: 'Failed', status: 'Unknown', when: ({ reason }) => reason === 'ProvisionFailed', message: () => 'failed' },
  { reason: 'Pending', status: 'Unknown', when: () => true, message: () => 'pending' },
];

/** As much of an object as its state is read from. */
export interface Reported extends KubeObject {
  readonly spec?: { readonly deploy?: { readonly enabled?: boolean } };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly deployRevision?: string };
}

/** The state of an object. A deploy was taken up when the status names the revision that the annotation does. */
export function stateOf(object: Reported): State {
  const { metadata, spec, status } = object;
  const ready = conditionOf(object, 'Ready');
  const deployed = metadata.annotations?.[annotation.deployRevision];
  const seen: StateSeen = {
    deleting: metadata.deletionTimestamp !== undefined,
    hasGate: spec?.deploy !== undefined,
    deployEnabled: spec?.deploy?.enabled === true,
    deploySeen: deployed === undefined || deployed === status?.deployRevision,
    ready: ready?.status === 'True',
    reason: ready?.reason ?? '',
  };
  return messageOf('state', reported, seen);
}
