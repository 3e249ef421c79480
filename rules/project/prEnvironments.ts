import type { CoreProject, ProjectSpec } from '../../crds/coreProject.ts';
import { changed, type ProjectChange, refusedAsAsked } from './change.ts';
import { environmentsStaying } from './deletion.ts';

/** The settings of pull request environments in a request; an empty base means the first environment. */
export interface PrEnvironmentsAsked {
  readonly enabled: boolean;
  readonly baseEnvironment?: string;
  readonly maxOpen?: number;
}

/** New settings of the pull request environments of a project; omitted ones stay. */
export function prEnvironmentsSaved(
  project: CoreProject,
  { enabled, baseEnvironment, maxOpen }: PrEnvironmentsAsked,
): ProjectChange {
  const { name } = project.metadata;
  if (baseEnvironment && !environmentsStaying(project).includes(baseEnvironment))
    return refusedAsAsked(`project "${name}" has no ${baseEnvironment} environment`);
  const before: Partial<NonNullable<ProjectSpec['prEnvironments']>> = project.spec.prEnvironments ?? {};
  return changed({
    spec: {
      prEnvironments: {
        ...before,
        enabled,
        ...(baseEnvironment === undefined ? {} : { baseEnvironment: baseEnvironment === '' ? null : baseEnvironment }),
        ...(maxOpen === undefined ? {} : { maxOpen }),
      },
    },
  });
}
