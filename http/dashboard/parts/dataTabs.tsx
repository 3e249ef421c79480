import { addressOf } from '../routes.ts';

const pages = [
  ['databases', 'Databases', addressOf.databases()],
  ['logicalDatabases', 'Logical databases', addressOf.logicalDatabases()],
  ['buckets', 'Buckets', addressOf.buckets()],
  ['backups', 'Backups', addressOf.backups()],
] as const;

/** The lists of everything that holds data. */
export const DataTabs = ({ current }: { readonly current: (typeof pages)[number][0] }) => (
  <nav class="tabs" aria-label="Data">
    {pages.map(([page, word, to]) => (
      <a key={page} href={to} aria-current={page === current ? 'page' : undefined}>
        {word}
      </a>
    ))}
  </nav>
);
