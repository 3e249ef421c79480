import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { label, managedBy, systemNamespace } from '../../crds/names.ts';

/** The labels that select every object of one database, in any namespace. */
export const selectorLabels = ({ metadata }: Pick<CoreDatabase, 'metadata'>): Readonly<Record<string, string>> => ({
  [label.managedBy]: managedBy,
  [label.kind]: 'CoreDatabase',
  [label.name]: metadata.name,
  [label.systemNamespace]: systemNamespace,
});

/** The labels of every object of a database; a shared server has neither project nor environment. */
export const databaseLabels = (
  database: Pick<CoreDatabase, 'metadata'>,
  { project, environment }: DatabaseSpec,
): Readonly<Record<string, string>> => ({
  ...selectorLabels(database),
  ...(project ? { [label.project]: project, [label.environment]: environment ?? '' } : {}),
});
