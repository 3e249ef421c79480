import type { Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { kindPage } from '../kindPage.ts';
import { databaseAsks } from './asks.ts';
import { DatabaseFacts } from './databaseFacts.tsx';

/** What the pages show of databases: what runs and how it is reached, deployed and tried again. */
export const databaseKind = kindPage<Read>({
  kind: 'CoreDatabase',
  plural: 'coredatabases',
  word: 'databases',
  path: api.database,
  isLookedAt: true,
  title: ({ resource }) => resource.displayName,
  links: () => [],
  flags: () => [],
  actions: ({ instance, machines }) => databaseAsks(instance, machines),
  facts: ({ object }) => <DatabaseFacts database={object} />,
  views: [],
  columns: [{ name: 'engine', word: 'Engine' }],
});
