import type { Instance, Machine, Summary } from '../../api.ts';
import { useProjects, useServices } from './service/lists.ts';
import { tabsOf } from '../tabs.ts';
import { address, route } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import type { Entry } from '../words/palette.ts';
import { environmentsOf, projectWord } from '../words/project.ts';
import { sectionsFor } from '../words/sections.ts';
import { instancesInMemory } from '../store/fleet.ts';
import { useMachines } from '../store/machines.ts';
import { offers } from '../store/offered.ts';
import { isAdmin, mayAct } from '../store/session.ts';

const page = (word: string, to: string, place?: string): Entry => ({
  key: `page ${to}`,
  kind: 'Page',
  word,
  to,
  ...(place === undefined ? {} : { place }),
});

/** The pages that are parts of the one on screen. */
function pagesHere(place: Place | null): readonly Entry[] {
  const { path } = address.value;
  return [
    ...tabsOf(document).map(({ word, to }) => page(word, to.startsWith('?') ? `${path}${to}` : to, 'on this page')),
    ...(place && mayAct() ? [page('Create service', addressOf.newService(place), place.environment)] : []),
  ];
}

const pages = (): readonly Entry[] => [
  ...sectionsFor(isAdmin()).map(({ word, to }) => page(word, to)),
  page('API', addressOf.apiDocs()),
  page('Approve a sign-in', addressOf.device()),
];

const actions = (): readonly Entry[] =>
  offers().map(({ word, run }, index) => ({ key: `action ${index}`, kind: 'Action', word, run }));

const environmentEntries = (projects: readonly Summary[]): readonly Entry[] =>
  projects.flatMap((project) =>
    environmentsOf(project).map((environment): Entry => ({
      key: `project ${project.name} ${environment}`,
      kind: 'Project',
      word: project.displayName,
      place: environment,
      to: addressOf.project({ project: project.name, environment }),
    })),
  );

const serviceEntries = (services: readonly Summary[], projects: readonly Summary[]): readonly Entry[] =>
  services.map((service) => ({
    key: `service ${service.name}`,
    kind: 'Service',
    word: service.displayName,
    place: `${projectWord(service.project, projects)} / ${service.environment}`,
    state: service.state,
    to: addressOf.service(service),
  }));

const machineEntries = (machines: readonly Machine[]): readonly Entry[] =>
  machines.map(({ name }) => ({
    key: `machine ${name}`,
    kind: 'State machine',
    word: name,
    to: addressOf.machine(name),
  }));

/** Objects without a list of their own are found by the machines whose instances are in memory. */
const kinds = { build: 'Build', database: 'Database' } as const;

const instanceEntries = (): readonly Entry[] =>
  (Object.keys(kinds) as readonly (keyof typeof kinds)[]).flatMap((machine) =>
    instancesInMemory(machine).map(({ id, name, state, project, environment }: Instance): Entry => ({
      key: `${machine} ${id}`,
      kind: kinds[machine],
      word: name,
      place: `${project} / ${environment}`,
      state,
      to: addressOf.instance(machine, id),
    })),
  );

/** The environment of the page on screen. */
export function placeOnScreen(): Place | null {
  const is = route.value;
  return 'project' in is && 'environment' in is ? { project: is.project, environment: is.environment } : null;
}

/** Everything that the palette can open or start: from lists that are in memory, or are read once when it opens. */
export function useEntries(): readonly Entry[] {
  const projects = useProjects().value?.items ?? [];
  const services = useServices().value?.items ?? [];
  const machines = useMachines().value?.items ?? [];
  return [
    ...pagesHere(placeOnScreen()),
    // Never first: what Enter does without a look should change nothing.
    ...actions(),
    ...pages(),
    ...environmentEntries(projects),
    ...serviceEntries(services, projects),
    ...machineEntries(machines),
    ...instanceEntries(),
  ];
}
