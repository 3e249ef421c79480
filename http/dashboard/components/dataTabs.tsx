import { addressOf } from '../routes.ts';
import { Tabs } from './tabs.tsx';

const pages = [
  ['databases', 'Databases', addressOf.databases()],
  ['logicalDatabases', 'Logical databases', addressOf.logicalDatabases()],
  ['buckets', 'Buckets', addressOf.buckets()],
  ['backups', 'Backups', addressOf.backups()],
] as const;

/** The lists of everything that holds data. */
export const DataTabs = ({ current }: { readonly current: (typeof pages)[number][0] }) => (
  <Tabs label="Data" tabs={pages.map(([page, word, to]) => ({ label: word, to, isCurrent: page === current }))} />
);
