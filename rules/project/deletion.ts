import type { CoreProject } from '../../crds/coreProject.ts';
import { annotation } from '../../crds/names.ts';
import { isDeleting } from '../deleting.ts';

/**
 * What is to be deleted with all it holds, as asked over REST. The project carries it until it is done, so that a crash
 * only delays it.
 */
export interface DeletionAsked {
  /** The whole project. */
  readonly everything: boolean;
  readonly environments: readonly string[];
}

type Marked = Pick<CoreProject, 'metadata'>;
type Listed = Marked & { readonly spec: Pick<CoreProject['spec'], 'environments'> };

const nothing: DeletionAsked = { everything: false, environments: [] };

/** The annotation of a project; one that names another uid came with a copy and asks for nothing. */
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

/** The annotation that asks for a deletion; null where nothing is asked for. */
function deletionText({ metadata: { uid } }: Marked, { everything, environments }: DeletionAsked): string | null {
  if (!everything && environments.length === 0) return null;
  return JSON.stringify({ uid, ...(everything && { everything }), ...(environments.length > 0 && { environments }) });
}

const asking = (project: Marked, asked: DeletionAsked) => ({
  annotations: { [annotation.deletion]: deletionText(project, asked) },
});

/**
 * The patch that asks for the deletion of a project with all it holds. The finalizer comes with it, because a project
 * that no pass has seen yet would go without what it holds.
 */
export function wholeDeletion(project: Marked, finalizer: string): { readonly metadata: object } {
  const finalizers = project.metadata.finalizers ?? [];
  const isHeld = finalizers.includes(finalizer) || isDeleting(project);
  const asked = asking(project, { ...deletionAsked(project), everything: true });
  return { metadata: { ...asked, ...(isHeld ? {} : { finalizers: [...finalizers, finalizer] }) } };
}

/** The environments that are being deleted; none where the project would keep no other one. */
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

/** The patch that asks for the deletion of an environment with all it holds. */
export function environmentDeletion(project: Marked, environment: string): { readonly metadata: object } {
  const asked = deletionAsked(project);
  const environments = [...new Set([...asked.environments, environment])];
  return { metadata: asking(project, { ...asked, environments }) };
}

/** The patch that ends the deletion of an environment: the last thing of it that goes is its entry in the list. */
export function environmentDeleted(project: Listed, environment: string): object {
  const asked = deletionAsked(project);
  const others = (names: readonly string[]) => names.filter((name) => name !== environment);
  return {
    metadata: asking(project, { ...asked, environments: others(asked.environments) }),
    spec: { environments: others(project.spec.environments) },
  };
}

/**
 * The patch that withdraws the deletion of environments where an edit by hand has left no other one, because it would
 * be resumed by the next environment that comes; null where there is nothing to withdraw.
 */
export function deletionWithdrawn(project: Listed): { readonly metadata: object } | null {
  const { everything, environments } = deletionAsked(project);
  if (environments.length === 0 || environmentsGoing(project).length > 0) return null;
  return { metadata: asking(project, { everything, environments: [] }) };
}
