import type { CoreProject } from '../../../crds/coreProject.ts';
import type { Scope } from '../../../rules/access/caller.ts';
import { environmentsStaying } from '../../../rules/project/deletion.ts';
import type { CacheReader } from '../../../runtime/cache/reader.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';

/** A project that exists and is not being deleted. */
export function liveProject(reader: CacheReader, name: string): CoreProject | undefined {
  const project = reader.get(projects, name);
  return project?.metadata.deletionTimestamp === undefined ? project : undefined;
}

/** Whether a project has an environment that is not being deleted. */
export const hasEnvironment = (project: CoreProject, environment: string): boolean =>
  // Objects written before the schema required the field may lack it.
  (project.spec.environments as readonly string[] | undefined)?.includes(environment) === true &&
  environmentsStaying(project).includes(environment);

export const noProject = (project: string) => `there is no project "${project}"`;

/** Why nothing can be created in an environment; null where it can. */
export function notPlaced(reader: CacheReader, { project: name, environment }: Scope): string | null {
  const project = liveProject(reader, name);
  if (!project) return noProject(name);
  return hasEnvironment(project, environment) ? null : `project "${name}" has no ${environment} environment`;
}
