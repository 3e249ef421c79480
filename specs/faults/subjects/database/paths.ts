import { Effect } from 'effect';
import { coreDatabase, type DatabaseSpec } from '../../../../crds/coreDatabase.ts';
import { withDefaults } from '../../../../crds/defaults.ts';
import { type KubeObject, typeMeta } from '../../../../crds/kind.ts';
import { databases } from '../../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import {
  databaseIn,
  databaseName,
  deploymentIn,
  kubelet,
  podsIn,
  putDatabase,
  putReadyProject,
  putReport,
  putDatabaseEnvironment,
  workflow,
} from '../../../support/database.ts';
import { causesOf } from '../../../../runtime/step/derive.ts';
import { dropDefinition } from '../../../support/engines.ts';
import { inSystem } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Act, Actor, Path } from '../subject.ts';
import { engineActors } from './engines.ts';

export const stateIn = (environment: TestEnvironment): string => databaseIn(environment)?.status?.phase ?? '';

const external: Partial<DatabaseSpec> = {
  engine: 'Postgres',
  placement: 'External',
  externalHost: 'db.example',
  username: 'shop',
  passwordSecretRef: { name: 'orders-password', key: 'password' },
  deploy: { enabled: true },
};

export const putPassword = ({ cluster }: TestEnvironment, password = 'of-the-person'): void =>
  void cluster.put(secrets, {
    metadata: inSystem('orders-password'),
    data: { password: Buffer.from(password).toString('base64') },
  });

export const dropDatabase = ({ cluster }: TestEnvironment): void => cluster.drop(databases, databaseName);

export const specIs = (spec: Partial<DatabaseSpec>) => (environment: TestEnvironment) => {
  if (databaseIn(environment)) putDatabase(environment, spec);
};
export const annotated = (annotations: Readonly<Record<string, string | null>>) => (environment: TestEnvironment) => {
  if (databaseIn(environment))
    Effect.runSync(environment.cluster.patch(databases, { name: databaseName }, { metadata: { annotations } }));
};

/** Starts the pod of the workload, or terminates it, one second after that is wanted. */
export const nodes =
  (does: 'runs' | 'fails' | 'starts') =>
  (environment: TestEnvironment): readonly Actor[] => {
    let due: number | null = null;
    const isBehind = () => {
      const deployment = deploymentIn(environment);
      if (!deployment) return podsIn(environment).length > 0;
      const { observedGeneration = 0 } = (deployment.status ?? {}) as { readonly observedGeneration?: number };
      return observedGeneration !== (deployment.metadata.generation ?? 0);
    };
    return [
      {
        act: (now) => {
          if (!isBehind()) return (void (due = null), null);
          due ??= now + 1_000;
          if (now < due) return null;
          due = null;
          kubelet(environment, does);
          return `the pod ${does}`;
        },
        nextAt: () => (due === null ? Infinity : due),
      },
    ];
  };

const given =
  (
    spec: Partial<DatabaseSpec> = {},
    annotations: Readonly<Record<string, string>> = {},
    prepare: (environment: TestEnvironment) => void = putDatabaseEnvironment,
  ) =>
  (environment: TestEnvironment) => {
    prepare(environment);
    putDatabase(environment, spec, annotations);
  };
const draft = given({}, { ...workflow, 'core.platform/pending-changes': 'created' });
const withoutProject = (environment: TestEnvironment) => (
  putDatabaseEnvironment(environment),
  putReadyProject(environment, 'False')
);

const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => stateIn(environment) === state,
  edit,
});
const asks = (state: string, machine: string, asked: string): Act => ({
  text: asked,
  when: (environment) => stateIn(environment) === state,
  command: { kind: 'CoreDatabase', machine, name: databaseName, asked },
});
/** Creates the database over the API. */
const creates = (asked: string): Act => ({
  text: asked,
  when: () => true,
  command: {
    kind: 'CoreDatabase',
    machine: 'draftDeploy',
    name: databaseName,
    asked,
    object: {
      ...typeMeta(coreDatabase),
      metadata: inSystem(databaseName),
      spec: withDefaults(coreDatabase.spec, { project: 'shop', environment: 'production', engine: 'SQLite' }),
    } as KubeObject,
  },
});
const deploy = asks('Draft', 'draftDeploy', 'deploy');
const retry = asks('ProvisionFailed', 'provisionRetry', 'retry');

interface Told {
  readonly name: string;
  readonly end: string;
  readonly given: Path['given'];
  readonly script?: readonly Act[];
  readonly pod?: 'runs' | 'fails' | 'starts';
  readonly engine?: 'Postgres' | 'PostgresWithVolume' | 'MySQL' | 'Redis';
  /** What may differ besides. */
  readonly mayDiffer?: RegExp;
}

const stops = once('Ready', 'the gate is closed', specIs({ deploy: { enabled: false } }));
const deletes = once('Ready', 'it is deleted', dropDatabase);
const annotatedDraft = { ...workflow, 'core.platform/pending-changes': 'created' };
const lives = (['Postgres', 'MySQL', 'Redis'] as const).flatMap((engine): readonly Told[] => [
  { name: `${engine} is deployed`, end: 'Ready', given: given({ engine }, annotatedDraft), script: [deploy], engine },
  {
    name: `${engine} is stopped`,
    end: 'Draft',
    given: given({ engine }, annotatedDraft),
    script: [deploy, stops],
    engine,
    // A volume that nobody heard of before the stop grows with the next deploy.
    ...(engine === 'MySQL' ? { mayDiffer: /^PersistentVolumeClaim .*requests\.storage/ } : {}),
  },
  {
    name: `${engine} is deleted`,
    end: '',
    given: given({ engine }, annotatedDraft),
    script: [deploy, deletes],
    engine,
  },
]);

const told: readonly Told[] = [
  {
    name: 'the definition of Postgres servers is deleted, and installed again',
    end: 'Ready',
    given: given({ engine: 'Postgres' }, annotatedDraft),
    script: [deploy, once('Ready', 'the definition is deleted', dropDefinition)],
    engine: 'Postgres',
  },
  {
    name: 'Postgres is given more memory',
    end: 'Ready',
    given: given({ engine: 'Postgres', deploy: { enabled: true } }),
    script: [
      once('Ready', 'more memory is asked for', specIs({ resources: { requests: { cpu: '250m', memory: '1Gi' } } })),
    ],
    engine: 'Postgres',
  },
  {
    name: 'Postgres waits for one more instance while its primary serves',
    end: 'Ready',
    given: given({ engine: 'Postgres', deploy: { enabled: true } }),
    script: [once('Ready', 'another instance is asked for', specIs({ instances: 2 }))],
    engine: 'Postgres',
  },
  {
    name: 'Postgres is stopped, and deployed while its volume is still being removed',
    end: 'Ready',
    given: given({ engine: 'Postgres' }, annotatedDraft),
    script: [deploy, stops, deploy],
    engine: 'PostgresWithVolume',
  },
  { name: 'a draft waits', end: 'Draft', given: draft },
  { name: 'a draft is deployed', end: 'Ready', given: draft, script: [deploy] },
  { name: 'a draft is created', end: 'Draft', given: putDatabaseEnvironment, script: [creates('createDraft')] },
  {
    name: 'it is created and deployed',
    end: 'Ready',
    given: putDatabaseEnvironment,
    script: [creates('createDeployed')],
  },
  { name: 'made by hand', end: 'Ready', given: given({ deploy: { enabled: true } }) },
  {
    name: 'a change waits',
    end: 'Ready',
    given: draft,
    script: [deploy, once('Ready', 'a size is saved', specIs({ storageSize: '2Gi' }))],
  },
  {
    name: 'a change waits and is deployed',
    end: 'Ready',
    given: draft,
    script: [
      deploy,
      once('Ready', 'a size is saved', specIs({ storageSize: '2Gi' })),
      {
        text: 'deploy',
        when: (environment) =>
          databaseIn(environment)?.metadata.annotations?.['core.platform/pending-changes'] === 'settings',
        command: { kind: 'CoreDatabase', machine: 'draftDeploy', name: databaseName, asked: 'deploy' },
      },
    ],
  },
  {
    name: 'it is stopped',
    end: 'Draft',
    given: draft,
    script: [deploy, once('Ready', 'the gate is closed', specIs({ deploy: { enabled: false } }))],
  },
  { name: 'its pod fails', end: 'ProvisionFailed', given: draft, script: [deploy], pod: 'fails' },
  {
    name: 'its pod fails once it runs, and gets well',
    end: 'Ready',
    given: given({ deploy: { enabled: true } }),
    script: [
      once('Ready', 'its pod fails', (environment) => kubelet(environment, 'fails')),
      {
        text: 'it runs again',
        when: (environment) => causesOf(databaseIn(environment)).length > 0,
        edit: (environment) => kubelet(environment, 'runs'),
      },
      {
        text: 'its causes are gone',
        when: (environment) => databaseIn(environment) !== undefined && causesOf(databaseIn(environment)).length === 0,
        edit: () => {},
      },
    ],
  },
  {
    name: 'given up, mended and tried again',
    end: 'Ready',
    given: given({}, { ...workflow, 'core.platform/pending-changes': 'created' }, withoutProject),
    script: [
      deploy,
      once('ProvisionFailed', 'the project becomes ready', (environment) => putReadyProject(environment, 'True')),
      // Until the project's readiness is heard of, it is given up anew.
      { ...retry, until: (environment) => stateIn(environment) === 'Ready' },
    ],
  },
  { name: 'the project is never ready', end: 'ProvisionFailed', given: given({}, {}, withoutProject) },
  {
    name: 'SQLite with high availability',
    end: 'ProvisionFailed',
    given: given(
      { highAvailability: true },
      {},
      (environment) => (putDatabaseEnvironment(environment), putReport(environment, 3)),
    ),
  },
  { name: 'it is deleted', end: '', given: draft, script: [deploy, once('Ready', 'it is deleted', dropDatabase)] },
  { name: 'a draft is deleted', end: '', given: draft, script: [once('Draft', 'it is deleted', dropDatabase)] },
  {
    name: 'it is deleted while its pod starts',
    end: '',
    given: draft,
    script: [deploy, once('Provisioning', 'it is deleted', dropDatabase)],
    pod: 'starts',
  },
  {
    name: 'an external one',
    end: 'Ready',
    given: given(external, {}, (environment) => (putDatabaseEnvironment(environment), putPassword(environment))),
  },
  {
    name: 'an external one lacks its password',
    end: 'Ready',
    given: given(external),
    script: [once('ProvisionFailed', 'the password comes', (environment) => putPassword(environment)), retry],
  },
  {
    name: 'an external one is deleted',
    end: '',
    given: given(external, {}, (environment) => (putDatabaseEnvironment(environment), putPassword(environment))),
    script: [once('Ready', 'it is deleted', dropDatabase)],
  },
];

export const databasePaths: readonly Path[] = [...told, ...lives].map((one) => ({
  name: one.name,
  given: one.given,
  script: one.script ?? [],
  actors: one.engine === undefined ? nodes(one.pod ?? 'runs') : engineActors(one.engine),
  ends: [one.end],
  // A deploy is named by its time, and its pods by the deploy; a password is generated again when nobody learned the
  // first.
  mayDiffer: (difference) =>
    one.mayDiffer?.test(difference) === true ||
    /core\.platform\/(applied|deploy-revision|last-deployed|move)|data\.(uri|[a-z-]*password)|provisionAttempts|reconcileRetry/.test(
      difference,
    ),
}));
