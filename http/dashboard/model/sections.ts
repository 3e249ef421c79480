import { addressOf, type Route } from '../routes.ts';

/** A section of the top bar. */
export interface Section {
  readonly name: 'home' | 'services' | 'data' | 'machines' | 'settings';
  readonly label: string;
  readonly to: string;
  /** The key that leads there after `g`. */
  readonly key: string;
}

const everybodys: readonly Section[] = [
  { name: 'home', label: 'Home', to: addressOf.home(), key: 'h' },
  { name: 'services', label: 'Services', to: addressOf.services(), key: 's' },
  { name: 'data', label: 'Data', to: addressOf.databases(), key: 'd' },
  { name: 'machines', label: 'State machines', to: addressOf.machines(), key: 'm' },
];
const admins: readonly Section[] = [
  { name: 'settings', label: 'Settings', to: addressOf.platform('domain'), key: ',' },
];

/** The sections that a reader has. */
export const sectionsFor = (isAdmin: boolean): readonly Section[] =>
  isAdmin ? [...everybodys, ...admins] : everybodys;

const sections: Readonly<Record<Route['is'], Section['name'] | null>> = {
  home: 'home',
  services: 'services',
  named: 'services',
  project: 'services',
  projectSettings: 'services',
  sharedVariables: 'services',
  newService: 'services',
  service: 'services',
  addResource: 'services',
  databases: 'data',
  logicalDatabases: 'data',
  buckets: 'data',
  bucket: 'data',
  namedBucket: 'data',
  backups: 'data',
  namedBackup: 'data',
  database: 'data',
  logicalDatabase: 'data',
  namedDatabase: 'data',
  namedLogicalDatabase: 'data',
  build: 'services',
  machines: 'machines',
  machine: 'machines',
  instance: 'machines',
  platform: 'settings',
  users: 'settings',
  tokens: 'settings',
  sharedServers: 'settings',
  commandLine: 'settings',
  device: null,
  signIn: null,
  apiDocs: null,
  unknown: null,
};

/** The section that a page is in; null for a page in none. */
export const sectionOf = ({ is }: Route): Section['name'] | null => sections[is];
