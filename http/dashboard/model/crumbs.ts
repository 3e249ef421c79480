import type { Summary } from '../../api.ts';
import { addressOf, type Place, type Route } from '../routes.ts';
import { platformWords } from '../pages/platform/model.ts';
import { projectSettingsWords } from '../pages/projectSettings/model.ts';
import { projectWord } from './project.ts';

/** A step on the way to a page; the page itself has no address, because it is open. */
export interface Crumb {
  readonly word: string;
  readonly to?: string;
}

/** The names that people gave, as far as they are read. */
interface Named {
  readonly projects: readonly Summary[];
  readonly services: readonly Summary[];
  readonly databases: readonly Summary[];
}

const machines: Crumb = { word: 'State machines', to: addressOf.machines() };

const placed = ({ project, environment }: Place, { projects }: Named): readonly Crumb[] => [
  { word: projectWord(project, projects), to: addressOf.project({ project }) },
  { word: environment, to: addressOf.project({ project, environment }) },
];

const wordIn = (objects: readonly Summary[], name: string): string =>
  objects.find((object) => object.name === name)?.displayName ?? name;

/** The object in an instance's id, without its kind. */
const objectWord = (id: string): string => id.slice(id.indexOf(':') + 1);

/** The ways to pages of no project. */
const ways: Readonly<Partial<Record<Route['is'], readonly Crumb[]>>> = {
  users: [{ word: 'Settings' }, { word: 'Users' }],
  tokens: [{ word: 'Settings' }, { word: 'Tokens' }],
  sharedServers: [{ word: 'Settings' }, { word: 'Databases' }],
  commandLine: [{ word: 'Settings' }, { word: 'Command line' }],
};

/** The way to a page through what it is a part of; empty for the first page of a section. */
export function crumbsOf(route: Route, named: Named): readonly Crumb[] {
  if ('project' in route) return crumbsIn(route, named);
  switch (route.is) {
    case 'namedDatabase':
      return [{ word: 'Databases', to: addressOf.databases() }, { word: wordIn(named.databases, route.name) }];
    case 'namedLogicalDatabase':
      return [{ word: 'Logical databases', to: addressOf.logicalDatabases() }, { word: route.name }];
    case 'namedBucket':
      return [{ word: 'Buckets', to: addressOf.buckets() }, { word: route.name }];
    case 'namedBackup':
      return [{ word: 'Backups', to: addressOf.backups() }, { word: route.name }];
    case 'platform':
      return [{ word: 'Settings' }, { word: platformWords[route.page] }];
    case 'machine':
      return [machines, { word: route.machine }];
    case 'instance':
      return [machines, { word: route.machine, to: addressOf.machine(route.machine) }, { word: objectWord(route.id) }];
    default:
      return ways[route.is] ?? [];
  }
}

function crumbsIn(route: Extract<Route, { readonly project: string }>, named: Named): readonly Crumb[] {
  switch (route.is) {
    case 'project':
      return [...placed(route, named).slice(0, 1), { word: route.environment }];
    case 'projectSettings':
      return [
        ...placed({ project: route.project, environment: '' }, named).slice(0, 1),
        { word: 'Settings', to: addressOf.projectSettings(route.project) },
        { word: projectSettingsWords[route.page] },
      ];
    case 'sharedVariables':
      return [...placed(route, named), { word: 'Variables' }];
    case 'newService':
      return [...placed(route, named), { word: 'New service' }];
    case 'addResource':
      return [...placed(route, named), { word: 'Add resource' }];
    case 'service':
      return [...placed(route, named), { word: wordIn(named.services, route.name) }];
    case 'database':
      return [...placed(route, named), { word: wordIn(named.databases, route.name) }];
    case 'logicalDatabase':
    case 'bucket':
      return [...placed(route, named), { word: route.name }];
    case 'build':
      return [
        ...placed(route, named),
        {
          word: wordIn(named.services, route.service),
          to: addressOf.service({ ...route, name: route.service }, 'builds'),
        },
        { word: route.name },
      ];
  }
}
