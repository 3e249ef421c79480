import type { Instance, Machine, Summary } from '../../../api.ts';
import { useSearch } from '../../kindPages/search.ts';
import { resourceLists, useProjects } from '../../kindPages/lists.ts';
import { tabsOf } from './pageTabs.ts';
import { address, route } from '../../router.ts';
import { addressOf, type Place, projectSettingsPages } from '../../routes.ts';
import { actionWord } from '../../model/actionLabel.ts';
import type { Entry } from '../../model/palette.ts';
import { environmentsOf, projectWord } from '../../model/project.ts';
import { projectSettingsWords } from '../../pages/projectSettings/model.ts';
import { sectionsFor } from '../../model/sections.ts';
import { settingsPages } from '../../model/settingsPages.ts';
import { instancesInMemory } from '../../store/fleet.ts';
import { useRows } from '../../store/list.ts';
import { isWhole, rowsAtHand } from '../../store/pages.ts';
import { useMachines } from '../../store/machines.ts';
import { offers } from '../../store/offered.ts';
import { isAdmin, mayAct } from '../../store/session.ts';

const page = (word: string, to: string, place?: string): Entry => ({
  key: `page ${to}`,
  kind: 'Page',
  label: word,
  to,
  ...(place === undefined ? {} : { place }),
});

/** The pages that are parts of the one on screen. */
function pagesHere(place: Place | null): readonly Entry[] {
  const { path } = address.value;
  return [
    ...tabsOf(document).map(({ label, to }) => page(label, to.startsWith('?') ? `${path}${to}` : to, 'on this page')),
    ...(place && mayAct()
      ? [
          page('Create service', addressOf.newService(place), place.environment),
          page('Add resource', addressOf.addResource(place), place.environment),
        ]
      : []),
  ];
}

const pages = (): readonly Entry[] => [
  ...sectionsFor(isAdmin()).map(({ label, to }) => page(label, to)),
  page('Databases', addressOf.databases()),
  page('Logical databases', addressOf.logicalDatabases()),
  page('Buckets', addressOf.buckets()),
  page('Backups', addressOf.backups()),
  page('API', addressOf.apiDocs()),
  page('Approve a sign-in', addressOf.device()),
  ...settingsPages
    .filter(({ page: own }) => own === 'commandLine' || isAdmin())
    .map(({ label, to }) => page(label, to, 'Settings')),
];

/** The pages of the settings of every project. */
const projectPages = (projects: readonly Summary[]): readonly Entry[] =>
  projects.flatMap(({ name, displayName }) =>
    projectSettingsPages.map((own) =>
      page(projectSettingsWords[own], addressOf.projectSettings(name, own), `Settings of ${displayName}`),
    ),
  );

const actions = (): readonly Entry[] =>
  offers().map(({ label, of, run }, index) => ({
    key: `action ${index}`,
    kind: 'Action',
    label: actionWord(label, of),
    run,
  }));

const environmentEntries = (projects: readonly Summary[]): readonly Entry[] =>
  projects.flatMap((project) =>
    environmentsOf(project).map((environment): Entry => ({
      key: `project ${project.name} ${environment}`,
      kind: 'Project',
      label: project.displayName,
      place: environment,
      to: addressOf.project({ project: project.name, environment }),
    })),
  );

/** The kinds of resources, as the palette calls them. */
const words: Readonly<Record<string, Entry['kind']>> = {
  CoreApp: 'Service',
  CoreDatabase: 'Database',
  CoreLogicalDatabase: 'Logical database',
  CoreObjectStore: 'Bucket',
};

const resourceEntries = (resources: readonly Summary[], projects: readonly Summary[]): readonly Entry[] =>
  resources.map((resource) => ({
    key: `${resource.kind} ${resource.name}`,
    kind: words[resource.kind] ?? 'Service',
    label: resource.displayName,
    place:
      resource.project === ''
        ? 'shared server'
        : `${projectWord(resource.project, projects)} / ${resource.environment}`,
    state: resource.state,
    to: addressOf.resource(resource),
  }));

const machineEntries = (machines: readonly Machine[]): readonly Entry[] =>
  machines.map(({ name }) => ({
    key: `machine ${name}`,
    kind: 'State machine',
    label: name,
    to: addressOf.machine(name),
  }));

/** Builds have no list of their own: those are found whose instances are in memory. */
const buildEntries = (): readonly Entry[] =>
  instancesInMemory('build').map(({ id, name, state, project, environment }: Instance): Entry => ({
    key: `build ${id}`,
    kind: 'Build',
    label: name,
    place: `${project} / ${environment}`,
    state,
    to: addressOf.instance('build', id),
  }));

/** The environment of the page on screen. */
function placeOnScreen(): Place | null {
  const is = route.value;
  return 'project' in is && 'environment' in is ? { project: is.project, environment: is.environment } : null;
}

interface Entries {
  readonly entries: readonly Entry[];
  /** Whether every list was read, or cannot be. */
  readonly isWhole: boolean;
}

/** The resources at hand, and of longer lists what the server finds by a text. */
function useFoundResources(text: string): { readonly resources: readonly Summary[]; readonly isRead: boolean } {
  const lists = resourceLists.map((of) => {
    const { value, failed } = useRows(of, rowsAtHand);
    const isLong = value !== null && !isWhole(value);
    const matches = useSearch([of], { text, states: [] }, isLong);
    const isAsked = isLong && text.trim() !== '';
    return {
      items: [...(value?.items ?? []), ...(matches.value?.items ?? [])],
      isRead: failed !== null || (value !== null && (!isAsked || matches.value !== null || matches.failed !== null)),
    };
  });
  const resources = new Map(lists.flatMap(({ items }) => items).map((one) => [`${one.kind} ${one.name}`, one]));
  return { resources: [...resources.values()], isRead: lists.every(({ isRead }) => isRead) };
}

/**
 * Everything that the palette can open or start by a text: from lists that are in memory, or are read once when it
 * opens, and of a long list what the server finds.
 */
export function useEntries(text: string): Entries {
  const lists = [useProjects(), useMachines()];
  const projects = useProjects().value?.items ?? [];
  const { resources, isRead } = useFoundResources(text);
  const machines = useMachines().value?.items ?? [];
  const isWhole = isRead && lists.every(({ value, failed }) => value !== null || failed !== null);
  const entries = [
    ...pagesHere(placeOnScreen()),
    ...pages(),
    // Never first: Enter pressed by mistake should change nothing.
    ...actions(),
    ...environmentEntries(projects),
    ...resourceEntries(resources, projects),
    ...machineEntries(machines),
    ...buildEntries(),
    ...projectPages(projects),
  ];
  return { entries, isWhole };
}
