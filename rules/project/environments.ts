import type { CoreProject } from '../../crds/coreProject.ts';
import { changed, type ProjectChange, refusedAsAsked, refusedByState } from './change.ts';
import { environmentDeletion, environmentsGoing, environmentsStaying } from './deletion.ts';
import { namespaceOf } from './environment.ts';

const maxEnvironments = 100;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const isLabel = (name: string) => name.length <= 63 && label.test(name);

/** A new environment at the end of the list. */
export function environmentAdded(project: CoreProject, environment: string): ProjectChange {
  const { metadata, spec } = project;
  const namespace = namespaceOf(metadata.name, environment);
  if (!isLabel(environment)) return refusedAsAsked(`invalid environment "${environment}"`);
  if (!isLabel(namespace)) return refusedAsAsked(`project/environment namespace "${namespace}" is invalid`);
  if (environmentsGoing(project).includes(environment))
    return refusedByState(`the environment "${environment}" is being deleted`);
  if (spec.environments.includes(environment)) return refusedByState('Project environments must be unique');
  if (spec.environments.length >= maxEnvironments)
    return refusedByState(`a project has at most ${maxEnvironments} environments`);
  return changed({ spec: { environments: [...spec.environments, environment] } });
}

/** Starts the deletion of an environment with all contents. */
export function environmentRemoved(project: CoreProject, environment: string): ProjectChange {
  if (environmentsGoing(project).includes(environment)) return changed(null);
  const isOneKept = environmentsStaying(project).some((one) => one !== environment);
  return isOneKept
    ? changed(environmentDeletion(project, environment))
    : refusedByState('a project keeps at least one environment');
}
