import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import { annotation } from '../../../crds/names.ts';
import { logicalDatabaseController } from '../../../runtime/controllers/logicalDatabase/controller.ts';
import { logicalJobs } from '../../../runtime/controllers/logicalDatabase/owned/jobs.ts';
import { everyKind, logicalDatabases } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { putReadyProject, putDatabaseEnvironment } from '../../support/database.ts';
import {
  jobEnds,
  jobIn,
  logicalIn,
  logicalName,
  logicalSecret,
  newLogical,
  putLogical,
  putServer,
  type ServerAsked,
} from '../../support/logicalDatabase.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { unnamedConnection } from './connected.ts';
import type { Act, Actor, FaultSubject, Oracle, Path } from './subject.ts';

const found = (environment: TestEnvironment) => logicalIn(environment, logicalName);
const stateIn = (environment: TestEnvironment): string => found(environment)?.status?.phase ?? '';
const inEnvironment = { name: `${logicalName}-connection`, namespace: 'shop-production' };

const namespaces = ['core-system', 'shop-production'];
const isOver = (environment: TestEnvironment, role: 'create' | 'drop', namespace: string) =>
  (jobIn(environment, role, { namespace })?.status?.conditions ?? []).length > 0;

/** What the Jobs come to, a second after they were created; those that create, one after the other. */
export const logicalJobsEnd =
  (...creations: readonly ('Complete' | 'Failed')[]) =>
  (environment: TestEnvironment): readonly Actor[] => {
    let due: number | null = null;
    let created = 0;
    const running = () =>
      namespaces.flatMap((namespace) =>
        (['create', 'drop'] as const).flatMap((role) => {
          const job = jobIn(environment, role, { namespace });
          return job && !isOver(environment, role, namespace) ? [{ role, namespace }] : [];
        }),
      )[0];
    return [
      {
        act: (now) => {
          const one = running();
          if (!one) return (void (due = null), null);
          due ??= now + 1_000;
          if (now < due) return null;
          due = null;
          const is = one.role === 'create' ? (creations[created++] ?? creations.at(-1) ?? 'Complete') : 'Complete';
          jobEnds(environment, one.role, is, { namespace: one.namespace });
          return `the Job to ${one.role} is ${is}`;
        },
        nextAt: () => due ?? (running() ? 0 : Infinity),
      },
    ];
  };

const withServer = (server: ServerAsked) => (environment: TestEnvironment) => {
  putDatabaseEnvironment(environment);
  putServer(environment, server);
};
const given = (server: ServerAsked) => (environment: TestEnvironment) => {
  withServer(server)(environment);
  putLogical(environment);
};
const isReady = (environment: TestEnvironment) => stateIn(environment) === 'Ready';
const drop = ({ cluster }: TestEnvironment) => cluster.drop(logicalDatabases, logicalName);
const own: ServerAsked = { isShared: false, spec: { project: 'shop', environment: 'production', engine: 'MySQL' } };

/** Creates it over the API. */
const creates: Act = {
  text: 'it is created',
  when: () => true,
  command: {
    kind: 'CoreLogicalDatabase',
    machine: 'logicalDatabase',
    name: logicalName,
    asked: 'create',
    object: newLogical(),
  },
};

const retried: Act = {
  text: 'Retry',
  when: (environment) => stateIn(environment) === 'ProvisionFailed',
  command: { kind: 'CoreLogicalDatabase', machine: 'provisionRetry', name: logicalName, asked: 'retry' },
  until: (environment) => stateIn(environment) === 'Ready',
};

/**
 * A login that nobody learned is drawn again, a Retry whose answer was lost is one more attempt, and the Job of an
 * attempt that is over may stay.
 */
export const mayDiffer = (difference: string): boolean =>
  /core\.platform\/(applied|run)|data\.(uri|password)|provisionAttempts|^Job recipes-create is one too many/.test(
    difference,
  );

const told: readonly Omit<Path, 'mayDiffer'>[] = [
  {
    name: 'shared',
    given: given({}),
    script: [
      {
        text: 'the connection is deleted',
        when: isReady,
        edit: ({ cluster }) => cluster.drop(owned.secrets, inEnvironment.name, inEnvironment.namespace),
      },
      {
        text: 'it is deleted',
        when: (environment) => isReady(environment) && logicalSecret(environment, 'connection') !== undefined,
        edit: drop,
      },
    ],
    actors: logicalJobsEnd('Complete'),
    ends: ['', 'Deleting'],
  },
  {
    name: 'created',
    given: withServer({}),
    script: [creates],
    actors: logicalJobsEnd('Complete'),
    ends: ['Ready'],
  },
  { name: 'own', given: given(own), script: [], actors: logicalJobsEnd('Complete'), ends: ['Ready'] },
  {
    name: 'own and deleted',
    given: given(own),
    script: [{ text: 'it is deleted', when: isReady, edit: drop }],
    actors: logicalJobsEnd('Complete'),
    ends: [''],
  },
  { name: 'retried', given: given({}), script: [retried], actors: logicalJobsEnd('Failed'), ends: ['ProvisionFailed'] },
  {
    name: 'retried with success',
    given: given({}),
    script: [retried],
    actors: logicalJobsEnd('Failed', 'Complete'),
    ends: ['Ready', 'ProvisionFailed'],
  },
];
const paths: readonly Path[] = told.map((path) => ({ ...path, mayDiffer }));

const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (found(environment))
    Effect.runSync(environment.cluster.patchStatus(logicalDatabases, { name: logicalName }, status));
};
const metadataIs = (metadata: object) => (environment: TestEnvironment) => {
  if (found(environment))
    Effect.runSync(environment.cluster.patch(logicalDatabases, { name: logicalName }, { metadata }));
};

const userEdits: FaultSubject['userEdits'] = {
  ...Object.fromEntries(
    ['Provisioning', 'Ready', 'ProvisionFailed', 'Deleting'].map((phase) => [`phase ${phase}`, statusIs({ phase })]),
  ),
  'the status is emptied': statusIs({ phase: null, conditions: null, reconcileRetry: null, provision: null }),
  'the project is not ready': (environment) => putReadyProject(environment, 'False'),
  'the project is ready': (environment) => putReadyProject(environment, 'True'),
  'the connection is deleted': ({ cluster }) =>
    cluster.drop(owned.secrets, inEnvironment.name, inEnvironment.namespace),
  'the Job is deleted': ({ cluster }) => cluster.drop(logicalJobs, `${logicalName}-create`, 'core-system'),
  'it is deleted': drop,
  'the finalizer is removed': metadataIs({ finalizers: null }),
  'it is paused and goes on': (environment) => {
    metadataIs({ annotations: { [annotation.paused]: 'true' } })(environment);
    metadataIs({ annotations: { [annotation.paused]: null } })(environment);
  },
};

const passwordIn = (environment: TestEnvironment): string =>
  logicalSecret(environment, 'login')?.data?.['password'] ?? '';

/** One login, no password in the status, and nothing left of what is gone from a shared server. */
function oracle(environment: TestEnvironment, hasUserEdits: boolean, late: boolean): Oracle {
  let password = '';
  return {
    look: (changed) => {
      if (changed.kind === 'CoreLogicalDatabase') return wrongWith(changed, hasUserEdits);
      if (
        changed.kind === 'Job' &&
        jobIn(environment, 'drop') &&
        jobIn(environment, 'create') &&
        !late &&
        !hasUserEdits
      )
        return ['it is dropped while the Job that creates it is left'];
      if (changed.kind !== 'Secret') return [];
      const [before, now] = [password, passwordIn(environment)];
      password = now;
      // What a leader that stood still writes late is removed once it is seen.
      return hasUserEdits || late || before === '' || now === '' || before === now
        ? []
        : ['the password is written over'];
    },
    atRest: () => restsIn(environment, hasUserEdits),
  };
}

function wrongWith(logical: KubeObject, hasUserEdits: boolean): readonly string[] {
  if (/password-\d|apps-own|admins/.test(JSON.stringify(logical))) return ['a password is told in the object'];
  return hasUserEdits ? [] : unnamedConnection(logical);
}

function restsIn(environment: TestEnvironment, hasUserEdits: boolean): readonly string[] {
  const logical = found(environment);
  const isShared = jobIn(environment, 'create', { namespace: 'shop-production' }) === undefined;
  if (!logical)
    return hasUserEdits || !isShared
      ? []
      : [
          ...(logicalSecret(environment, 'connection') ? ['its connection is left'] : []),
          ...(passwordIn(environment) === '' ? [] : ['its login is left']),
          ...(jobIn(environment, 'drop') ? ['its drop Job is left'] : []),
        ];
  if (stateIn(environment) !== 'Ready') return [];
  return logicalSecret(environment, 'connection') ? [] : ['it is Ready and lacks its connection'];
}

/** The logical database: its counted failures, its Jobs and its Secrets. */
export const logicalDatabaseSubject: FaultSubject = {
  name: 'logicalDatabase',
  tables: ['provisionRetry', 'logicalDatabase'],
  controllers: () => [logicalDatabaseController()],
  alsoSeen: everyKind,
  removes: true,
  paths,
  state: stateIn,
  userEdits,
  oracle,
};
