import type { Summary } from '../../api.ts';
import { addressOf } from '../routes.ts';
import { fleetOf } from '../store/fleet.ts';
import { useMachines } from '../store/machines.ts';
import { isAdmin } from '../store/session.ts';
import type { Listed } from '../model/listed.ts';
import type { Named } from '../model/nearest.ts';
import { projectWord } from '../model/project.ts';
import { sectionsFor } from '../model/sections.ts';
import { settingsPages } from '../model/settingsPages.ts';
import {
  useArchives,
  useDatabases,
  useLogicalDatabases,
  useObjectStores,
  useProjects,
  useResources,
  useServices,
} from './lists.ts';

const withPlaces = (resources: readonly Summary[], projects: readonly Summary[]): readonly Named[] =>
  resources.map((one) => ({
    label: one.displayName,
    also: [one.name],
    to: addressOf.resource(one),
    place: one.project === '' ? 'shared server' : `${projectWord(one.project, projects)} / ${one.environment}`,
  }));

const pages = (): readonly Named[] =>
  [...sectionsFor(isAdmin()), ...(isAdmin() ? settingsPages : [])].map(({ label, to }) => ({
    label,
    to,
    also: [to.slice(to.lastIndexOf('/') + 1)],
  }));

const resourcesOf = {
  service: useServices,
  database: useDatabases,
  logicalDatabase: useLogicalDatabases,
  objectStore: useObjectStores,
} as const;

/** The names of everything that an address could have named; of instances, those of one machine. */
export function useNamesOf(what: Listed, machine: string): readonly Named[] {
  const projects = useProjects().value?.items ?? [];
  switch (what) {
    case 'archive':
      return (useArchives().value?.items ?? []).map(({ name, displayName }) => ({
        label: displayName,
        also: [name],
        to: addressOf.backup(name),
      }));
    case 'project':
      return projects.map(({ name, displayName }) => ({
        label: displayName,
        also: [name],
        to: addressOf.project({ project: name }),
      }));
    case 'machine':
      return (useMachines().value?.items ?? []).map(({ name }) => ({ label: name, to: addressOf.machine(name) }));
    case 'instance':
      return [...fleetOf(machine, Infinity).instances.value.values()].map(({ id, name }) => ({
        label: name,
        to: addressOf.instance(machine, id),
      }));
    case 'page':
      return [...pages(), ...withPlaces(useResources().items, projects)];
    default:
      return withPlaces(resourcesOf[what]().value?.items ?? [], projects);
  }
}
