import type { CoreProject } from '../../crds/coreProject.ts';
import { annotation } from '../../crds/names.ts';
import { isDeleting } from '../deleting.ts';

/** A requested deletion with all contents. The project carries it until it is done, so that a crash only delays it. */
export interface DeletionAsked {
  /** The whole project. */
  readonly everything: boolean;
  readonly environments: readonly string[];
}

type Marked = Pick<CoreProject, 'metadata'>;
type Listed = Marked & { readonly spec: Pick<CoreProject['spec'], 'environments'> };

const nothing: DeletionAsked = { everything: false, environments: [] };

/** The annotation of a project; one with another uid came with a copy and has no effect. */
export function deletionAsked({ metadata }: Marked): DeletionAsked {
  const asked = parsed(metadata.annotations?.[annotation.deletion]);
  if (asked === null || metadata.uid === undefined || asked['uid'] !== metadata.uid) return nothing;
  const { everything, environments } = asked;
  return {
    everything: everything === true,
    environments: Array.isArray(environments)
      ? environments.filter((one): one is string => typeof one === 'string')
      : [],
  };
}

function parsed(text: string | undefined): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = text === undefined ? null : JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

/** The annotation that requests a deletion; null for none. */
function deletionText({ metadata: { uid } }: Marked, { everything, environments }: DeletionAsked): string | null {
  if (!everything && environments.length === 0) return null;
  return JSON.stringify({ uid, ...(everything && { everything }), ...(environments.length > 0 && { environments }) });
}

const asking = (project: Marked, asked: DeletionAsked) => ({
  annotations: { [annotation.deletion]: deletionText(project, asked) },
});

/**
 * The patch that requests the deletion of a project with all contents. It includes the finalizer, because a project
 * without a pass would be deleted without its contents.
 */
export function wholeDeletion(project: Marked, finalizer: string): { readonly metadata: object } {
  const finalizers = project.metadata.finalizers ?? [];
  const isHeld = finalizers.includes(finalizer) || isDeleting(project);
  const asked = asking(project, { ...deletionAsked(project), everything: true });
  return { metadata: { ...asked, ...(isHeld ? {} : { finalizers: [...finalizers, finalizer] }) } };
}

/** The environments that are being deleted; none when no other one would remain. */
export function environmentsGoing(project: Listed): readonly string[] {
  const { environments } = deletionAsked(project);
  const isOneKept = project.spec.environments.some((environment) => !environments.includes(environment));
  return isOneKept ? environments : [];
}

/** The environments of a project without those that are being deleted. */
export function environmentsStaying(project: Listed): readonly string[] {
  const going = environmentsGoing(project);
  return project.spec.environments.filter((environment) => !going.includes(environment));
}

/** The patch that requests the deletion of an environment with all contents. */
export function environmentDeletion(project: Marked, environment: string): { readonly metadata: object } {
  const asked = deletionAsked(project);
  const environments = [...new Set([...asked.environments, environment])];
  return { metadata: asking(project, { ...asked, environments }) };
}

/** The patch that ends the deletion of an environment: its entry in the list is removed last. */
export function environmentDeleted(project: Listed, environment: string): object {
  const asked = deletionAsked(project);
  const others = (names: readonly string[]) => names.filter((name) => name !== environment);
  return {
    metadata: asking(project, { ...asked, environments: others(asked.environments) }),
    spec: { environments: others(project.spec.environments) },
  };
}

/**
 * The patch that withdraws the deletion of environments after a manual edit left no other one, because the next added
 * environment would resume it; null for nothing.
 */
export function deletionWithdrawn(project: Listed): { readonly metadata: object } | null {
  const { everything, environments } = deletionAsked(project);
  if (environments.length === 0 || environmentsGoing(project).length > 0) return null;
  return { metadata: asking(project, { everything, environments: [] }) };
}
