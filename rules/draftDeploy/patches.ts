import { annotation } from '../../crds/names.ts';
import type { DraftDeployAction } from '../../machines/names.ts';
import { type Deployable, pendingOf, revisionOf } from './stored.ts';

/** A merge patch of a resource; null removes an annotation. */
export interface DeployPatch {
  readonly spec?: { readonly deploy: { readonly enabled: boolean } };
  readonly metadata?: { readonly annotations: Readonly<Record<string, string | null>> };
}

/** The kinds of waiting changes, as the annotation `pending-changes` lists them. */
export type ChangeKind = 'settings' | 'variables';

const annotated = (annotations: Readonly<Record<string, string | null>>): DeployPatch => ({
  metadata: { annotations },
});

/** The revision differs from the previous one even when two deploys happen in the same instant. */
const nextRevision = (before: string, at: string): string => (before === at ? `${at}+` : at);

/** The deployed spec is the current one, with the gate open. */
const snapshotText = (spec: Deployable['spec']): string => JSON.stringify({ ...spec, deploy: { enabled: true } });

/** The changes that a named action makes to the resource itself, at the time of the transition. */
export const deployPatches: Readonly<
  Record<
    Exclude<DraftDeployAction, 'saveSpec' | 'saveUngated'>,
    (object: Deployable, at: string, drawn?: string) => DeployPatch
  >
> = {
  saveDraft: () => ({
    spec: { deploy: { enabled: false } },
    ...annotated({ [annotation.deployWorkflow]: 'true', [annotation.pendingChanges]: 'created' }),
  }),
  disable: () => ({ spec: { deploy: { enabled: false } }, ...gated }),
  enable: () => ({ spec: { deploy: { enabled: true } } }),
  clearMarkers: () => annotated({ [annotation.pendingChanges]: null, [annotation.pendingUpdates]: null }),
  takeSnapshot: ({ spec }) => annotated({ [annotation.lastDeployed]: snapshotText(spec) }),
  // The name of the record, if the deploy has one.
  changeRevision: (object, at, drawn = nextRevision(revisionOf(object), at)) =>
    annotated({ [annotation.deployRevision]: drawn }),
  markChanges: (object) => markedAs(object, ['settings']),
};

/** A deploy that is announced to the project's webhooks. */
export const announcedPatch = (deploy: DeployPatch): DeployPatch => {
  const annotations = deploy.metadata?.annotations ?? {};
  return {
    ...deploy,
    ...annotated({ ...annotations, [annotation.announcedDeploy]: annotations[annotation.deployRevision] ?? null }),
  };
};

/** Marks changes of these kinds as waiting, and counts the save. */
export const markedAs = (object: Deployable, kinds: readonly ChangeKind[]): DeployPatch =>
  annotated({
    [annotation.pendingChanges]: [...new Set([...pendingOf(object), ...kinds])].join(','),
    [annotation.pendingUpdates]: String(updatesOf(object) + 1),
  });

/** Turns the gate on for a manually created draft. */
export const gated: DeployPatch = annotated({ [annotation.deployWorkflow]: 'true' });

const updatesOf = ({ metadata }: Deployable): number => {
  const count = Number(metadata.annotations?.[annotation.pendingUpdates] ?? '0');
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
};
