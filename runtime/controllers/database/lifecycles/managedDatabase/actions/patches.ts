import type { CoreDatabase, DatabaseStatus } from '../../../../../../crds/coreDatabase.ts';
import type { ManagedDatabaseAction } from '../../../../../../machines/names.ts';
import type { ManagedDatabaseFacts } from '../../../../../../rules/managedDatabase/facts.ts';
import { managedKind } from '../../../../../../rules/managedDatabase/kind.ts';
import { isoTime, msOf } from '../../../../../../rules/time.ts';
import type { Writing } from '../../../../../contract/lifecycle.ts';
import { gateOf, specOf } from '../../../../../../rules/database/deployed.ts';

type Managed = NonNullable<DatabaseStatus['managed']>;
type Fields = { readonly managed: Partial<Managed> | null };
type Writes = (writing: Writing<CoreDatabase, ManagedDatabaseFacts>) => Fields | Record<string, never>;

/** Beside what is written already; a field that is null goes. */
const beside = (
  { moved }: { readonly moved: CoreDatabase },
  fields: { readonly [F in keyof Managed]?: Managed[F] | null },
): Fields => ({
  managed: Object.fromEntries(
    Object.entries({ ...moved.status?.managed, ...fields }).filter(([, value]) => value !== null),
  ),
});

const longestName = 36;

/** Names no two logins alike, so that a lost one is found by its name and never taken for its successor. */
const claimedName = ({ metadata: { name, uid = '' } }: CoreDatabase, at: string): string =>
  `core-${name.slice(0, longestName)}-${uid.slice(0, 8)}-${msOf(at).toString(36)}`;

const nothing: Writes = () => ({});

/** What each named action writes. */
export const managedWrites: Readonly<Record<ManagedDatabaseAction, Writes>> = {
  createDatabase: nothing,
  issueLogin: nothing,
  recordRefusal: (writing) => beside(writing, { refusedGeneration: writing.object.metadata.generation ?? 0 }),
  recordStart: (writing) => beside(writing, { startedAt: writing.at, refusedGeneration: null, storeFailedAt: null }),
  claimLogin: (writing) => {
    const { object, at, facts } = writing;
    const spec = specOf(object, gateOf(object));
    return beside(writing, {
      login: claimedName(object, at),
      connection: spec.connectionRef?.name ?? '',
      database: facts.name,
      kind: managedKind(spec.engine) ?? '',
    });
  },
  storeConnection: (writing) => beside(writing, { storeFailedAt: null }),
  recordStoreFailure: (writing) => beside(writing, { storeFailedAt: isoTime(writing.facts.now) }),
  revokeLogin: (writing) => beside(writing, { login: null, connection: null, database: null, kind: null }),
  deleteConnection: () => ({ managed: null }),
};
