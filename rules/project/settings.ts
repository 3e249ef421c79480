import type { CoreProject, ProjectSpec } from '../../crds/coreProject.ts';
import { changed, type ProjectChange, refusedAsAsked, refusedByState } from './change.ts';
import { slugOf } from './newProject.ts';

/** The settings that a request names; an empty region means the cluster's default. */
export interface SettingsAsked {
  readonly displayName?: string;
  readonly region?: string;
  readonly network?: Partial<NonNullable<ProjectSpec['network']>>;
}

/** New settings of a project, which apply at once. `databases` are the project's databases in the cluster. */
export function settingsChanged(
  { spec }: CoreProject,
  { displayName, region, network }: SettingsAsked,
  databases: readonly string[],
): ProjectChange {
  const slug = displayName === undefined ? undefined : slugOf(displayName);
  if (slug === '') return refusedAsAsked('displayName must have a letter or a digit');
  const isMoved = region !== undefined && region !== (spec.region ?? '');
  if (isMoved && databases.length > 0)
    return refusedByState(
      `the region cannot change while the project has databases in the cluster: ${databases.join(', ')}`,
    );
  const fields = {
    ...(slug === undefined ? {} : { displayName: slug }),
    ...(isMoved ? { region: region === '' ? null : region } : {}),
    ...(network === undefined ? {} : { network }),
  };
  return changed(Object.keys(fields).length === 0 ? null : { spec: fields });
}
