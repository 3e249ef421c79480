import type { Summary } from '../../api.ts';
import { addressOf, type Place, type Route } from '../routes.ts';
import { platformWords } from '../pages/platform/model.ts';
import { projectSettingsWords } from '../pages/projectSettings/model.ts';
import { projectWord } from './project.ts';

/** A step on the way to a page; the page itself has no address, because it is open. */
export interface Crumb {
  readonly label: string;
  readonly to?: string;
}

/** The names that people gave, as far as they are read. */
interface Named {
  readonly projects: readonly Summary[];
  readonly services: readonly Summary[];
  readonly databases: readonly Summary[];
}

const machines: Crumb = { label: 'State machines', to: addressOf.machines() };

const placed = ({ project, environment }: Place, { projects }: Named): readonly Crumb[] => [
  { label: projectWord(project, projects), to: addressOf.project({ project }) },
  { label: environment, to: addressOf.project({ project, environment }) },
];

const wordIn = (objects: readonly Summary[], name: string): string =>
  objects.find((object) => object.name === name)?.displayName ?? name;

/** The object in an instance's id, without its kind. */
const objectWord = (id: string): string => id.slice(id.indexOf(':') + 1);

/** The ways to pages of no project. */
const ways: Readonly<Partial<Record<Route['is'], readonly Crumb[]>>> = {
  users: [{ label: 'Settings' }, { label: 'Users' }],
  tokens: [{ label: 'Settings' }, { label: 'Tokens' }],
  sharedServers: [{ label: 'Settings' }, { label: 'Databases' }],
  commandLine: [{ label: 'Settings' }, { label: 'Command line' }],
};

/** The way to a page through what it is a part of; empty for the first page of a section. */
export function crumbsOf(route: Route, named: Named): readonly Crumb[] {
  if ('project' in route) return crumbsIn(route, named);
  switch (route.is) {
    case 'namedDatabase':
      return [{ label: 'Databases', to: addressOf.databases() }, { label: wordIn(named.databases, route.name) }];
    case 'namedLogicalDatabase':
      return [{ label: 'Logical databases', to: addressOf.logicalDatabases() }, { label: route.name }];
    case 'namedBucket':
      return [{ label: 'Buckets', to: addressOf.buckets() }, { label: route.name }];
    case 'namedBackup':
      return [{ label: 'Backups', to: addressOf.backups() }, { label: route.name }];
    case 'platform':
      return [{ label: 'Settings' }, { label: platformWords[route.page] }];
    case 'machine':
      return [machines, { label: route.machine }];
    case 'instance':
      return [
        machines,
        { label: route.machine, to: addressOf.machine(route.machine) },
        { label: objectWord(route.id) },
      ];
    default:
      return ways[route.is] ?? [];
  }
}

function crumbsIn(route: Extract<Route, { readonly project: string }>, named: Named): readonly Crumb[] {
  switch (route.is) {
    case 'project':
      return [...placed(route, named).slice(0, 1), { label: route.environment }];
    case 'projectSettings':
      return [
        ...placed({ project: route.project, environment: '' }, named).slice(0, 1),
        { label: 'Settings', to: addressOf.projectSettings(route.project) },
        { label: projectSettingsWords[route.page] },
      ];
    case 'sharedVariables':
      return [...placed(route, named), { label: 'Variables' }];
    case 'newService':
      return [...placed(route, named), { label: 'New service' }];
    case 'addResource':
      return [...placed(route, named), { label: 'Add resource' }];
    case 'service':
      return [...placed(route, named), { label: wordIn(named.services, route.name) }];
    case 'database':
      return [...placed(route, named), { label: wordIn(named.databases, route.name) }];
    case 'logicalDatabase':
    case 'bucket':
      return [...placed(route, named), { label: route.name }];
    case 'build':
      return [
        ...placed(route, named),
        {
          label: wordIn(named.services, route.service),
          to: addressOf.service({ ...route, name: route.service }, 'builds'),
        },
        { label: route.name },
      ];
  }
}
