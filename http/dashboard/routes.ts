import { ownPath } from './model/ownPath.ts';

/** The place of a service: its environment within its project. */
export interface Place {
  readonly project: string;
  readonly environment: string;
}

/** The pages of a project's settings, in their order. */
export const projectSettingsPages = [
  'general',
  'environments',
  'network',
  'compliance',
  'git',
  'pull-requests',
  'webhooks',
  'connections',
  'backup-storage',
  'delete',
] as const;
export type ProjectSettingsPage = (typeof projectSettingsPages)[number];

/** The pages of the platform's settings that are about what it runs on and is reached by. */
export const platformPages = ['domain', 'connectors', 'registry', 'usage', 'clusters', 'nodes'] as const;
export type PlatformPage = (typeof platformPages)[number];

/** Every page of the dashboard, as its address names it. */
export type Route =
  | { readonly is: 'home' }
  | { readonly is: 'services' }
  | { readonly is: 'databases' }
  | { readonly is: 'logicalDatabases' }
  | { readonly is: 'buckets' }
  | { readonly is: 'backups' }
  /** `environment` is empty for the first one of the project. */
  | ({ readonly is: 'project' } & Place)
  | { readonly is: 'projectSettings'; readonly project: string; readonly page: ProjectSettingsPage }
  /** The variables that the services of an environment may share. */
  | ({ readonly is: 'sharedVariables' } & Place)
  | ({ readonly is: 'newService'; readonly step: 1 | 2 | 3 } & Place)
  /** `view` is empty for the overview. */
  | ({ readonly is: 'service'; readonly name: string; readonly view: string } & Place)
  /** What can be made in an environment besides a service. */
  | ({ readonly is: 'addResource' } & Place)
  | ({ readonly is: 'database'; readonly name: string; readonly view: string } & Place)
  | ({ readonly is: 'logicalDatabase'; readonly name: string; readonly view: string } & Place)
  | ({ readonly is: 'bucket'; readonly name: string; readonly view: string } & Place)
  /** A build of a service. */
  | ({ readonly is: 'build'; readonly service: string; readonly name: string; readonly view: string } & Place)
  /** A service by its name alone, which leads to its page. */
  | { readonly is: 'named'; readonly name: string; readonly view: string }
  /** A shared server, which has no project, or a database of one by its name alone, which leads to its page. */
  | { readonly is: 'namedDatabase'; readonly name: string; readonly view: string }
  | { readonly is: 'namedLogicalDatabase'; readonly name: string; readonly view: string }
  /** A server of buckets, which has no project, or a bucket of one by its name alone, which leads to its page. */
  | { readonly is: 'namedBucket'; readonly name: string; readonly view: string }
  | { readonly is: 'machines' }
  | { readonly is: 'machine'; readonly machine: string }
  | { readonly is: 'instance'; readonly machine: string; readonly id: string; readonly view: string }
  | { readonly is: 'platform'; readonly page: PlatformPage }
  /** The backups of one database, which may be gone. */
  | { readonly is: 'namedBackup'; readonly name: string; readonly view: string }
  | { readonly is: 'users' }
  | { readonly is: 'sharedServers' }
  | { readonly is: 'tokens' }
  | { readonly is: 'commandLine' }
  /** `code` is empty until one is entered. */
  | { readonly is: 'device'; readonly code: string }
  | { readonly is: 'signIn'; readonly to: string }
  | { readonly is: 'apiDocs' }
  | { readonly is: 'unknown'; readonly path: string };

const partsOf = (path: string): readonly string[] =>
  path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);

/** The page of an address. */
export const readRoute = (path: string, search: string): Route =>
  readParts(partsOf(path), new URLSearchParams(search)) ?? { is: 'unknown', path };

/** Where a short or an earlier address leads; null for an address of its own. */
export function redirectOf(path: string, search: string): string | null {
  const [first = '', second, ...more] = partsOf(path);
  if (more.length > 0) return null;
  if (first === 'apps') return `${second === undefined ? addressOf.services() : addressOf.named(second)}${search}`;
  if (second === undefined) return first === 'settings' ? addressOf.platform('domain') : null;
  return first === 'builds' ? addressOf.build(second, new URLSearchParams(search).get('view') ?? '') : null;
}

function readParts(parts: readonly string[], query: URLSearchParams): Route | null {
  const [first, second, third, ...more] = parts;
  if (first === undefined) return { is: 'home' };
  if (first === 'projects') return readProject(parts.slice(1), query);
  if (second === undefined) return readSingle(first, query);
  const view = query.get('view') ?? '';
  if (first === 'machines' && third !== undefined)
    return more.length === 0 ? { is: 'instance', machine: second, id: third, view } : null;
  return third === undefined ? readPair(first, second, view) : null;
}

/** The pages of the platform's settings. */
const settings = {
  '/settings/tokens': { is: 'tokens' },
  '/settings/users': { is: 'users' },
  '/settings/databases': { is: 'sharedServers' },
  '/settings/cli': { is: 'commandLine' },
} as const satisfies Readonly<Record<string, Route>>;

/** Objects by their names alone. */
const named = {
  services: 'named',
  databases: 'namedDatabase',
  'logical-databases': 'namedLogicalDatabase',
  buckets: 'namedBucket',
  backups: 'namedBackup',
} as const;

function readPair(first: string, second: string, view: string): Route | null {
  if (first === 'settings') {
    const platform = platformPages.find((one) => one === second);
    if (platform !== undefined) return { is: 'platform', page: platform };
    return (settings as Readonly<Record<string, Route>>)[`/settings/${second}`] ?? null;
  }
  if (first === 'machines') return { is: 'machine', machine: second };
  return Object.hasOwn(named, first) ? { is: named[first as keyof typeof named], name: second, view } : null;
}

/** A hyphen stands for a page that is no object, because no name begins with one. */
const noObject = '-';
const steps = { 1: 1, 2: 2, 3: 3 } as const;
const stepOf = (text: string | null): 1 | 2 | 3 => steps[text as '1' | '2' | '3'] ?? 1;

function readProject(parts: readonly string[], query: URLSearchParams): Route | null {
  const [project, environment = '', kind, name, page, last, ...more] = parts;
  if (project === undefined || more.length > 0) return null;
  if (last !== undefined) return readBuild(parts, query);
  if (environment === noObject) return page === undefined ? readProjectSettings(project, kind, name) : null;
  const place = { project, environment };
  if (kind === undefined) return { is: 'project', ...place };
  if (name === undefined) return null;
  if (kind === 'services') return readService(place, [name, page], query);
  return page === undefined ? readResource(place, [kind, name], query) : null;
}

const ofEnvironment = { variables: 'sharedVariables', add: 'addResource' } as const;
const resources = { databases: 'database', logical: 'logicalDatabase', buckets: 'bucket' } as const;

function readResource(place: Place, [kind, name]: readonly [string, string], query: URLSearchParams): Route | null {
  if (kind === noObject)
    return Object.hasOwn(ofEnvironment, name) ? { is: ofEnvironment[name as 'add'], ...place } : null;
  const is = Object.hasOwn(resources, kind) ? resources[kind as keyof typeof resources] : null;
  return is === null || name === noObject ? null : { is, ...place, name, view: query.get('view') ?? '' };
}

function readBuild(parts: readonly string[], query: URLSearchParams): Route | null {
  const [project = '', environment = '', kind, service = '', page, name = ''] = parts;
  if (kind !== 'services' || page !== 'builds' || [environment, service].includes(noObject)) return null;
  return { is: 'build', project, environment, service, name, view: query.get('view') ?? '' };
}

function readService(
  place: Place,
  [name, page]: readonly [string, string | undefined],
  query: URLSearchParams,
): Route | null {
  if (name === noObject) return page === 'new' ? { is: 'newService', ...place, step: stepOf(query.get('step')) } : null;
  return page === undefined ? { is: 'service', ...place, name, view: query.get('view') ?? '' } : null;
}

function readProjectSettings(project: string, kind: string | undefined, name = 'general'): Route | null {
  const page = projectSettingsPages.find((one) => one === name);
  return kind === 'settings' && page !== undefined ? { is: 'projectSettings', project, page } : null;
}

function readSingle(name: string, query: URLSearchParams): Route | null {
  switch (name) {
    case 'machines':
      return { is: 'machines' };
    case 'services':
      return { is: 'services' };
    case 'databases':
      return { is: 'databases' };
    case 'buckets':
      return { is: 'buckets' };
    case 'backups':
      return { is: 'backups' };
    case 'logical-databases':
      return { is: 'logicalDatabases' };
    case 'api-docs':
      return { is: 'apiDocs' };
    case 'device':
      return { is: 'device', code: query.get('code') ?? '' };
    case 'sign-in':
      return { is: 'signIn', to: ownPath(query.get('to')) };
    default:
      return null;
  }
}

/** A decoded part of a path; wrongly encoded text stays unchanged. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const part = encodeURIComponent;

const placed = ({ project, environment }: Place) => `/projects/${part(project)}/${part(environment)}`;
const viewed = (view: string): string => (view === '' ? '' : `?view=${view}`);

/** A resource as every list gives it. */
type Named = Place & { readonly kind: string; readonly name: string };

/** The address of every object. */
export const addressOf = {
  home: () => '/',
  services: () => '/services',
  databases: () => '/databases',
  logicalDatabases: () => '/logical-databases',
  buckets: () => '/buckets',
  backups: () => '/backups',
  backup: (name: string) => `/backups/${part(name)}`,
  project: ({ project, environment }: Partial<Place> & Pick<Place, 'project'>) =>
    environment === undefined ? `/projects/${part(project)}` : placed({ project, environment }),
  projectSettings: (project: string, page: ProjectSettingsPage = 'general') =>
    `/projects/${part(project)}/-/settings/${page}`,
  sharedVariables: (place: Place) => `${placed(place)}/-/variables`,
  addResource: (place: Place) => `${placed(place)}/-/add`,
  newService: (place: Place, step: 1 | 2 | 3 = 1) =>
    `${placed(place)}/services/-/new${step === 1 ? '' : `?step=${step}`}`,
  service: (service: Place & { readonly name: string }, view = ''): string =>
    `${placed(service)}/services/${part(service.name)}${viewed(view)}`,
  /** A shared server has no project. */
  database: (database: Place & { readonly name: string }, view = ''): string =>
    `${database.project === '' ? '' : placed(database)}/databases/${part(database.name)}${viewed(view)}`,
  logicalDatabase: (logical: Place & { readonly name: string }, view = ''): string =>
    `${placed(logical)}/logical/${part(logical.name)}${viewed(view)}`,
  /** A server of buckets has no project. */
  bucket: (bucket: Place & { readonly name: string }, view = ''): string =>
    `${bucket.project === '' ? '' : placed(bucket)}/buckets/${part(bucket.name)}${viewed(view)}`,
  /** The page of a resource of any kind. */
  resource(resource: Named, view = ''): string {
    if (resource.kind === 'CoreDatabase') return addressOf.database(resource, view);
    if (resource.kind === 'CoreObjectStore') return addressOf.bucket(resource, view);
    return resource.kind === 'CoreLogicalDatabase'
      ? addressOf.logicalDatabase(resource, view)
      : addressOf.service(resource, view);
  },
  buildOf: (service: Place & { readonly name: string }, build: string, view = ''): string =>
    `${addressOf.service(service)}/builds/${part(build)}${viewed(view)}`,
  /** A service whose place is not at hand. */
  named: (name: string, view = '') => `/services/${part(name)}${viewed(view)}`,
  /** A database whose place is not at hand. */
  namedDatabase: (name: string) => `/databases/${part(name)}`,
  /** A logical database whose place is not at hand. */
  namedLogicalDatabase: (name: string) => `/logical-databases/${part(name)}`,
  /** A bucket whose place is not at hand. */
  namedBucket: (name: string) => `/buckets/${part(name)}`,
  machines: () => '/machines',
  machine: (machine: string, query = '') => `/machines/${part(machine)}${query}`,
  /** A colon is allowed in a path, and is easier to read unencoded. */
  instance: (machine: string, id: string, view = '') =>
    `/machines/${part(machine)}/${part(id).replaceAll('%3A', ':')}${viewed(view)}`,
  build: (name: string, view = ''): string => addressOf.instance('build', `corebuilds:${name}`, view),
  apiDocs: () => '/api-docs',
  platform: (page: PlatformPage) => `/settings/${page}`,
  users: () => '/settings/users',
  tokens: () => '/settings/tokens',
  sharedServers: () => '/settings/databases',
  commandLine: () => '/settings/cli',
  device: (code = '') => `/device${code === '' ? '' : `?code=${part(code)}`}`,
} as const;
