import { Effect } from 'effect';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { coreObjectStore, type CoreObjectStore } from '../../../crds/coreObjectStore.ts';
import { type KubeObject, typeMeta } from '../../../crds/kind.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { objectStoreController } from '../../../runtime/controllers/objectStore/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { objectStores, projects } from '../../../runtime/services/cluster/kinds.ts';
import { owned } from '../../../runtime/owned/owned.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { CloudFailed } from '../../../runtime/services/cloud.ts';
import {
  conditionSaid,
  connectionName,
  keysIn,
  putConnection,
  putKeys,
  secretIn,
} from '../../support/cloud/objects.ts';
import { rootKey } from '../../support/memory/cloud.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import { inSystem, pieceIn, projectIn, putCluster, putProject } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { deletesAgain, keepsAll, triesToDelete } from './backups/keeping.ts';
import type { Act, Actor, FaultSubject, Oracle, Path } from './subject.ts';

const name = 'files';
const serverName = 'store';
const keysSecret = 'files-bucket-keys';
const theirs = 'of-others';

const storeIn = ({ cluster }: TestEnvironment, named = name) =>
  cluster.all(objectStores).find(({ metadata }) => metadata.name === named);
const stateIn = (environment: TestEnvironment): string => storeIn(environment)?.status?.phase ?? '';

const isReady = {
  type: 'Ready',
  status: 'True',
  reason: 'ProjectReady',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const standing = { status: { phase: 'ProjectReady', conditions: [isReady] } };

type Spec = CoreObjectStore['spec'];
const inAccount: Spec = {
  project: 'shop',
  environment: 'production',
  mode: 'Bucket',
  connectionRef: { name: connectionName },
  deploy: { enabled: true },
};
const onServer: Spec = { ...withoutConnection(inAccount), serverRef: { name: serverName } };
const server: Spec = { mode: 'Server', deploy: { enabled: true } };

function withoutConnection(spec: Spec): Spec {
  const { connectionRef: _, ...rest } = spec;
  return rest;
}

const putStore = (environment: TestEnvironment, spec: Spec, named = name, annotations: Record<string, string> = {}) =>
  environment.cluster.put(objectStores, {
    ...typeMeta(coreObjectStore),
    metadata: { ...inSystem(named), generation: 1, annotations },
    spec,
  });

/** What an object store needs, and the object store itself. A region in a Secret would be in the connection, too. */
const given =
  (put: (environment: TestEnvironment) => void = (environment) => putStore(environment, inAccount)): Path['given'] =>
  (environment) => {
    putCluster(environment);
    putProject(environment);
    // A project that is set up already: no failure is counted before the first one of the path.
    environment.cluster.put(projects, { ...projectIn(environment), ...standing } as CoreProject);
    putKeys(environment);
    putConnection(environment, { region: undefined as never });
    put(environment);
  };

const refuses = (environment: TestEnvironment) => {
  environment.cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, message: 'AccessDenied' });
};
const isUp = (environment: TestEnvironment) => stateIn(environment) === 'Ready';
const deleted = (environment: TestEnvironment, named = name) => {
  if (storeIn(environment, named)) Effect.runSync(environment.cluster.remove(objectStores, { name: named }));
};

/** Something lies in its bucket. */
const filled = (environment: TestEnvironment) => {
  const { bucket = '' } = storeIn(environment)?.status ?? {};
  if (environment.cloud.model.state.buckets.has(bucket)) environment.cloud.put(bucket, 'a', 'text');
};

/** Keys and revisions differ in every run, and attempts count what went wrong; the time of a failure outlives its row. */
const whichKey = (difference: string) =>
  /^Secret \S+\.(data\.|metadata\.annotations\.)/.test(difference) ||
  /core\.platform\/(deploy-revision|move)|provisionAttempts|\.lastFailureAt: |reconcileFailures/.test(difference);
const common = { actors: () => [], mayDiffer: whichKey } as const;

/** The pod of a server, a second after it is to run; it knows the keys of its Secret. */
const pods =
  (named: string) =>
  (environment: TestEnvironment): readonly Actor[] => {
    let due: number | null = null;
    const isDue = () => {
      const found = pieceIn(environment, owned.deployments, named, systemNamespace) as KubeObject & {
        readonly spec: { readonly replicas?: number };
        readonly status?: { readonly availableReplicas?: number };
      };
      return found && found.spec.replicas !== (found.status?.availableReplicas ?? 0) ? found : null;
    };
    return [
      {
        act: (now) => {
          const found = isDue();
          if (found === null) return (void (due = null), null);
          due ??= now + 1_000;
          if (now < due) return null;
          due = null;
          const { accessKeyId: id, secretAccessKey: secret } = keysIn(secretIn(environment, `${named}-store-root`));
          if (id !== '')
            environment.cloud.model.state.keys.set(id, { id, secret, account: 'server', user: null, createdAt: 0 });
          const { replicas = 0 } = found.spec;
          environment.cluster.put(owned.deployments, {
            ...found,
            status: { replicas, availableReplicas: replicas },
          } as never);
          return `${replicas} pods of the server run`;
        },
        nextAt: () => due ?? (isDue() ? 0 : Infinity),
      },
    ];
  };

const command = (machine: 'draftDeploy' | 'provisionRetry', asked: string) =>
  ({ kind: 'CoreObjectStore', machine, name, asked }) as const;

/** Creates the object store over the API. */
const creates: Act = {
  text: 'it is created',
  when: () => true,
  command: {
    ...command('draftDeploy', 'createDeployed'),
    object: { ...typeMeta(coreObjectStore), metadata: inSystem(name), spec: inAccount } as KubeObject,
  },
};

const paths: readonly Path[] = [
  { ...common, name: 'it is created and deployed', given: given(() => {}), script: [creates], ends: ['Ready'] },
  { ...common, name: 'a bucket is made', given: given(), script: [], ends: ['Ready'] },
  {
    ...common,
    name: 'a draft is deployed, and deployed again',
    given: given((environment) =>
      putStore(environment, { ...inAccount, deploy: { enabled: false } }, name, {
        [annotation.deployWorkflow]: 'true',
      }),
    ),
    script: [
      {
        text: 'Deploy',
        when: (environment) => stateIn(environment) === 'Draft',
        command: command('draftDeploy', 'deploy'),
      },
      { text: 'Deploy again', when: isUp, command: command('draftDeploy', 'deploy') },
    ],
    ends: ['Ready', 'Provisioning'],
  },
  {
    ...common,
    name: 'the cloud refuses, then allows it',
    given: given((environment) => {
      refuses(environment);
      putStore(environment, inAccount);
    }),
    script: [
      {
        text: 'the cloud allows it',
        when: (environment) => conditionSaid(storeIn(environment), 'Ready').includes('AccessDenied'),
        edit: (environment) => {
          environment.cloud.failing = null;
        },
      },
    ],
    ends: ['Ready'],
  },
  {
    ...common,
    name: 'it is given up, and tried again',
    given: given((environment) => putStore(environment, { ...inAccount, connectionRef: { name: 'later' } })),
    script: [
      {
        text: 'the connection is made',
        when: (environment) => stateIn(environment) === 'ProvisionFailed',
        edit: (environment) => putConnection(environment, { region: undefined as never }, 'later'),
      },
      {
        text: 'Retry',
        when: (environment) => stateIn(environment) === 'ProvisionFailed',
        command: command('provisionRetry', 'retry'),
        until: isUp,
      },
    ],
    ends: ['Ready', 'ProvisionFailed'],
  },
  {
    ...common,
    name: 'a bucket is deleted with what is in it',
    given: given(),
    script: [
      {
        text: 'it is deleted',
        when: isUp,
        edit: (environment) => {
          filled(environment);
          deleted(environment);
        },
      },
    ],
    ends: [''],
  },
  {
    ...common,
    name: 'a bucket of somebody else is used, and stays',
    given: given((environment) => {
      const { model } = environment.cloud;
      model.makeBucket(model.keyOf(rootKey.accessKeyId), theirs, 'us-east-1');
      environment.cloud.put(theirs, 'a', 'of others');
      putStore(environment, { ...inAccount, bucket: theirs });
    }),
    script: [{ text: 'it is deleted', when: isUp, edit: (environment) => deleted(environment) }],
    ends: [''],
  },
  {
    ...common,
    name: 'the cloud deletes nothing of a bucket for a while',
    given: given(),
    script: [
      {
        text: 'it is deleted',
        when: isUp,
        edit: (environment) => {
          filled(environment);
          keepsAll(environment);
          deleted(environment);
        },
      },
      { text: 'the cloud deletes again', when: (environment) => triesToDelete(environment) > 2, edit: deletesAgain },
    ],
    ends: [''],
  },
  {
    ...common,
    name: 'a server runs, and goes',
    given: given((environment) => putStore(environment, server)),
    script: [{ text: 'it is deleted', when: isUp, edit: (environment) => deleted(environment) }],
    actors: pods(name),
    ends: [''],
  },
  {
    ...common,
    name: 'a bucket on a server that is deleted first',
    given: given((environment) => {
      putStore(environment, server, serverName);
      putStore(environment, onServer);
    }),
    script: [
      { text: 'the server is deleted', when: isUp, edit: (environment) => deleted(environment, serverName) },
      {
        text: 'the bucket is deleted',
        when: (environment) => storeIn(environment, serverName)?.status?.phase === 'Deleting',
        edit: (environment) => deleted(environment),
      },
    ],
    actors: pods(serverName),
    ends: [''],
  },
];

const oracle = (environment: TestEnvironment, hasUserEdits: boolean, late: boolean): Oracle => {
  const hadTheirs = environment.cloud.model.state.buckets.has(theirs);
  const issued = () => [...environment.cloud.model.state.keys.values()];
  const own = () => issued().filter(({ user }) => user !== null);
  /** The call that a leader sends as it stands still cannot be held back: for an empty bucket, or a user without a key. */
  const isLeft = (): boolean => {
    const { buckets, users } = environment.cloud.model.state;
    const ownBuckets = [...buckets.values()].filter((one) => one.name !== theirs);
    if (own().length > 0 || ownBuckets.some(({ versions }) => versions.size > 0)) return true;
    return ownBuckets.length + users.size > (late ? 1 : 0);
  };
  return {
    look: (changed) => {
      const server = storeIn(environment);
      const isEnding = server?.spec.mode === 'Server' && server.metadata.deletionTimestamp !== undefined;
      const runs = pieceIn(environment, owned.deployments, name, systemNamespace) !== undefined;
      // Its pod holds the claim: a real cluster keeps that until the pod is gone.
      if (isEnding && runs && pieceIn(environment, owned.claims, `${name}-store`, systemNamespace) === undefined)
        return ['the disk of a server goes while its pod runs'];
      if (changed.kind === secrets.kind) return [];
      const text = JSON.stringify(changed);
      return issued().some(({ secret }) => text.includes(secret)) ? [`${keyOf(changed)} shows a key`] : [];
    },
    atRest: () => {
      const { buckets } = environment.cloud.model.state;
      const emptied =
        hadTheirs && !(buckets.has(theirs) && environment.cloud.stored(theirs).join() === 'a')
          ? ['a bucket of somebody else was emptied']
          : [];
      if (environment.cluster.all(objectStores).length === 0)
        return [...emptied, ...(isLeft() ? ['something of a deleted bucket is left'] : [])];
      // What somebody changes in the cloud is found within ten minutes, which may be after everything has come to rest.
      if (hasUserEdits || stateIn(environment) !== 'Ready' || storeIn(environment)?.spec.mode === 'Server') return [];
      const stored = keysIn(secretIn(environment, keysSecret));
      return [
        ...(own().length === 1 ? [] : [`${own().length} keys are alive`]),
        ...(own().some(({ id }) => id === stored.accessKeyId) ? [] : ['the Secret holds a key that nobody knows']),
        ...(buckets.size === 1 ? [] : [`there are ${buckets.size} buckets`]),
      ];
    },
  };
};

const phases = ['Draft', 'Provisioning', 'Ready', 'ProvisionFailed', 'Deleting'];
const statusIs = (status: object) => (environment: TestEnvironment) => {
  if (storeIn(environment)) Effect.runSync(environment.cluster.patchStatus(objectStores, { name }, status));
};

/** Buckets in an account and on a server, and servers, from their making to their end. */
export const objectStoreSubject: FaultSubject = {
  name: 'objectStore',
  tables: ['draftDeploy', 'provisionRetry', 'objectStore', 'projectReady'],
  removes: true,
  controllers: () => [cloudConnectionController(), objectStoreController(), projectController()],
  alsoSeen: [],
  paths,
  state: stateIn,
  userEdits: {
    ...Object.fromEntries(phases.map((phase) => [`phase ${phase}`, statusIs({ phase })])),
    'the status is emptied': statusIs({ phase: null, conditions: null, reconcileRetry: null, provision: null }),
    'the Secret of the environment is deleted': ({ cluster }) =>
      cluster.drop(owned.secrets, 'files-bucket', 'shop-production'),
    'the Deployment is deleted': ({ cluster }) => cluster.drop(owned.deployments, name, systemNamespace),
    'it is deleted': (environment) => deleted(environment),
    'the Secret with the key is deleted': ({ cluster }) => cluster.drop(secrets, keysSecret),
    'the keys of the user are deleted': ({ cloud }) => {
      for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
    },
  },
  oracle,
};
