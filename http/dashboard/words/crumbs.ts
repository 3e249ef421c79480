import type { Summary } from '../../api.ts';
import { addressOf, type Place, type Route } from '../routes.ts';
import { platformWords } from './platform.ts';
import { projectSettingsWords } from './projectSettings.ts';
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
}

const machines: Crumb = { word: 'State machines', to: addressOf.machines() };

const placed = ({ project, environment }: Place, { projects }: Named): readonly Crumb[] => [
  { word: projectWord(project, projects), to: addressOf.project({ project }) },
  { word: environment, to: addressOf.project({ project, environment }) },
];

const serviceWord = (name: string, { services }: Named): string =>
  services.find((service) => service.name === name)?.displayName ?? name;

/** The object in an instance's id, without its kind. */
const objectWord = (id: string): string => id.slice(id.indexOf(':') + 1);

/** The way to a page through what it is a part of; empty for the first page of a section. */
export function crumbsOf(route: Route, named: Named): readonly Crumb[] {
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
    case 'service':
      return [...placed(route, named), { word: serviceWord(route.name, named) }];
    case 'build':
      return [
        ...placed(route, named),
        {
          word: serviceWord(route.service, named),
          to: addressOf.service({ ...route, name: route.service }, 'builds'),
        },
        { word: route.name },
      ];
    case 'machine':
      return [machines, { word: route.machine }];
    case 'instance':
      return [machines, { word: route.machine, to: addressOf.machine(route.machine) }, { word: objectWord(route.id) }];
    case 'platform':
      return [{ word: 'Settings' }, { word: platformWords[route.page] }];
    case 'users':
      return [{ word: 'Settings' }, { word: 'Users' }];
    case 'tokens':
      return [{ word: 'Settings' }, { word: 'Tokens' }];
    default:
      return [];
  }
}
