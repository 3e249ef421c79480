import { addressOf } from '../routes.ts';

/** What an address may name; a resource by its machine. */
export type Listed =
  'service' | 'database' | 'logicalDatabase' | 'objectStore' | 'archive' | 'project' | 'machine' | 'instance' | 'page';

/** The list of everything of the sort; of the instances of a machine, its page. */
export const listOf = (what: Listed, machine = ''): { readonly word: string; readonly to: string } =>
  ({
    service: { word: 'All services', to: addressOf.services() },
    database: { word: 'All databases', to: addressOf.databases() },
    logicalDatabase: { word: 'All logical databases', to: addressOf.logicalDatabases() },
    objectStore: { word: 'All buckets', to: addressOf.buckets() },
    archive: { word: 'All backups', to: addressOf.backups() },
    project: { word: 'All projects', to: addressOf.home() },
    machine: { word: 'All state machines', to: addressOf.machines() },
    instance: { word: `All of ${machine}`, to: addressOf.machine(machine) },
    page: { word: 'Home', to: addressOf.home() },
  })[what];
