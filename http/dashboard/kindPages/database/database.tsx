import type { Read } from '../../../api.ts';
import { addressOf } from '../../routes.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { programName } from '../../model/command.ts';
import { deployedActions } from '../actions.ts';
import { kindPage } from '../kindPage.ts';
import { pathTo } from '../../api.ts';

const DatabaseFacts = lazyPart(async () => (await import('./databaseFacts.tsx')).DatabaseFacts, 260);

/** The pages of databases: what runs and how to connect, with deploy and retry. */
export const databaseKind = kindPage<Read>({
  kind: 'CoreDatabase',
  plural: 'coredatabases',
  label: 'databases',
  path: (database) => pathTo('GET /databases/{database}', { database }),
  hasPasses: true,
  title: ({ resource }) => resource.displayName,
  links: ({ resource }) => [{ to: addressOf.database(resource), label: 'Open database' }],
  flags: () => [],
  actions: ({ instance, machines }) => deployedActions(instance, machines),
  facts: ({ object }) => <DatabaseFacts database={object} />,
  command: ({ name }) => `${programName} databases get ${name}`,
  views: [],
  columns: [{ name: 'engine', label: 'Engine' }],
});
