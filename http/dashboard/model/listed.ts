import { addressOf } from '../routes.ts';

/** What an address may name; a resource by its machine. */
export type Listed =
  'service' | 'database' | 'logicalDatabase' | 'objectStore' | 'archive' | 'project' | 'machine' | 'instance' | 'page';

/** The list of everything of the sort; of the instances of a machine, its page. */
export const listOf = (what: Listed, machine = ''): { readonly label: string; readonly to: string } =>
  ({
    service: { label: 'All services', to: addressOf.services() },
    database: { label: 'All databases', to: addressOf.databases() },
    logicalDatabase: { label: 'All logical databases', to: addressOf.logicalDatabases() },
    objectStore: { label: 'All buckets', to: addressOf.buckets() },
    archive: { label: 'All backups', to: addressOf.backups() },
    project: { label: 'All projects', to: addressOf.home() },
    machine: { label: 'All state machines', to: addressOf.machines() },
    instance: { label: `All of ${machine}`, to: addressOf.machine(machine) },
    page: { label: 'Home', to: addressOf.home() },
  })[what];
