import { Effect } from 'effect';
import type { DatabaseSpec } from '../../../crds/coreDatabase.ts';
import { annotation } from '../../../crds/names.ts';
import { databaseController } from '../../../runtime/controllers/database/controller.ts';
import { databases, everyKind } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import {
  databaseIn,
  databaseName,
  putDatabase,
  putReadyProject,
  putDatabaseEnvironment,
  secretIn,
  workflow,
} from '../../support/database.ts';
import { managed, putConnection } from '../../support/managedDatabase.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { annotated, dropDatabase, specIs, stateIn } from './database/paths.ts';
import { managedOracle } from './managedDatabase/oracle.ts';
import type { Act, Actor, FaultSubject, Path } from './subject.ts';

const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (databaseIn(environment))
    Effect.runSync(environment.cluster.patchStatus(databases, { name: databaseName }, status));
};
const connectionGoes = (environment: TestEnvironment) => {
  const name = { name: `${databaseName}-connection`, namespace: 'shop-production' };
  if (secretIn(environment, 'connection')) Effect.runSync(environment.cluster.remove(owned.secrets, name));
};

/** External changes by users of kubectl to a managed database and what it depends on. */
const userEdits: FaultSubject['userEdits'] = {
  'the gate is closed': specIs({ deploy: { enabled: false } }),
  'the gate is opened': specIs({ deploy: { enabled: true } }),
  'the workflow begins': annotated(workflow),
  'another engine': specIs({ engine: 'Redis' }),
  'it is connected, not created': specIs({ mode: 'Connect' }),
  'another size': specIs({ clusterSize: 'S_20' }),
  'the connection is deleted': connectionGoes,
  'the project is not ready': (environment) => putReadyProject(environment, 'False'),
  'another token': (environment) => putConnection(environment, 'shop', 'id:s3cret2'),
  'the connection to the provider is of another project': (environment) => putConnection(environment, 'blog'),
  'the phase is Ready': statusIs({ managed: { phase: 'Ready' } }),
  'the phase is LoginIssued': statusIs({ managed: { phase: 'LoginIssued' } }),
  'the phase is Starting': statusIs({ managed: { phase: 'Starting' } }),
  'the phase of the database is Ready': statusIs({ phase: 'Ready' }),
  'the move goes': annotated({ [annotation.move]: null }),
  'it is deleted': dropDatabase,
};

/** The provider has the database ready a while after it was made. */
const becomesReady = (environment: TestEnvironment): readonly Actor[] => {
  let due: number | null = null;
  const behind = () => [...environment.provider.databases.values()].filter(({ ready }) => !ready);
  return [
    {
      act: (now) => {
        if (behind().length === 0) return (void (due = null), null);
        due ??= now + 40_000;
        if (now < due) return null;
        due = null;
        for (const database of behind()) database.ready = true;
        return 'the provider has it ready';
      },
      nextAt: () => (due === null ? Infinity : due),
    },
  ];
};

const given =
  (spec: Partial<DatabaseSpec> = {}, prepare: (environment: TestEnvironment) => void = () => {}) =>
  (environment: TestEnvironment) => {
    putDatabaseEnvironment(environment);
    putConnection(environment);
    environment.provider.state.readyAtOnce = false;
    prepare(environment);
    putDatabase(environment, { ...managed, ...spec }, { ...workflow, 'core.platform/pending-changes': 'created' });
  };
const standing =
  (kind: string) =>
  ({ provider }: TestEnvironment) =>
    void provider.databases.set(databaseName, { kind, ready: true, size: 'S_10', logins: [] });

const asks = (state: string, machine: string, asked: string): Act => ({
  text: asked,
  when: (environment) => stateIn(environment) === state,
  command: { kind: 'CoreDatabase', machine, name: databaseName, asked },
});
const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => stateIn(environment) === state,
  edit,
});
const deploy = asks('Draft', 'draftDeploy', 'deploy');

interface Told {
  readonly name: string;
  readonly end: string;
  readonly given: Path['given'];
  readonly script?: readonly Act[];
}

const told: readonly Told[] = [
  { name: 'MySQL is created', end: 'Ready', given: given({ clusterSize: 'S_10' }), script: [deploy] },
  { name: 'Postgres is created', end: 'Ready', given: given({ engine: 'Postgres' }), script: [deploy] },
  { name: 'one that stands is used', end: 'Ready', given: given({}, standing('mysql')), script: [deploy] },
  { name: 'one of the other kind', end: 'ProvisionFailed', given: given({}, standing('postgresql')), script: [deploy] },
  {
    name: 'its connection is deleted',
    end: 'Ready',
    given: given({}, standing('mysql')),
    script: [deploy, once('Ready', 'the connection is deleted', connectionGoes)],
  },
  {
    name: 'it is stopped',
    end: 'Draft',
    given: given({}, standing('mysql')),
    script: [deploy, once('Ready', 'the gate is closed', specIs({ deploy: { enabled: false } }))],
  },
  {
    name: 'it is deleted',
    end: '',
    given: given({}, standing('mysql')),
    script: [deploy, once('Ready', 'it is deleted', dropDatabase)],
  },
];

const managedPaths: readonly Path[] = told.map((one) => ({
  name: one.name,
  given: one.given,
  script: one.script ?? [],
  actors: becomesReady,
  ends: [one.end],
  // A login is named by the time of its claim, and issued again when nobody learned the first.
  mayDiffer: (difference) =>
    /core\.platform\/(applied|deploy-revision|last-deployed|move)|data\.(uri|username|password)|managed\.login|provisionAttempts|reconcileRetry/.test(
      difference,
    ),
}));

/** The database at its provider, and the login to it. */
export const managedDatabaseSubject: FaultSubject = {
  name: 'managedDatabase',
  tables: ['draftDeploy', 'managedDatabase', 'provisionRetry', 'database'],
  controllers: () => [databaseController()],
  alsoSeen: everyKind,
  removes: true,
  paths: managedPaths,
  state: stateIn,
  userEdits,
  oracle: managedOracle,
};
