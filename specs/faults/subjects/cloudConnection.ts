import { storageSecretName, userOf } from '../../../rules/backupStorage/place.ts';
import { connectionSecretName, keysLabels } from '../../../rules/cloud/newConnection.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloudConnection/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { CloudFailed } from '../../../runtime/services/cloud.ts';
import {
  conditionSaid,
  connectionIn,
  connectionName,
  connectionSecret,
  keysIn,
  putConnection,
  putKeys,
  secretIn,
} from '../../support/cloud/objects.ts';
import { rootKey } from '../../support/memory/cloud.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import { inSystem, projectIn, projectName, putCluster, putProject } from '../../support/project.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import type { Act, FaultSubject, Oracle, Path } from './subject.ts';

const bucket = 'core-backups';
const secretName = storageSecretName(bucket);
const requestedKeys = connectionSecretName(connectionName);

const reasonOf = (said: string): string => said.split(' ')[1]?.replace(':', '') ?? '';
const readyIn = (environment: TestEnvironment): string => reasonOf(conditionSaid(connectionIn(environment), 'Ready'));
const storageIn = (environment: TestEnvironment): string =>
  reasonOf(conditionSaid(projectIn(environment), 'BackupStorage'));
/** What connection and storage report, in one word each. */
const stateIn = (environment: TestEnvironment): string =>
  [readyIn(environment), storageIn(environment)].filter((word) => word !== '').join(' ');

const failing = (code: string, status: number | null) => (environment: TestEnvironment) => {
  environment.cloud.failing = new CloudFailed({ code, status, message: code });
};
const heals = (environment: TestEnvironment) => {
  environment.cloud.failing = null;
};

/** A region in a Secret would be in the connection, too. */
const unplaced = { region: undefined as never };

const project = (environment: TestEnvironment) => {
  putCluster(environment);
  putProject(environment);
};
const connected = (environment: TestEnvironment) => {
  project(environment);
  putKeys(environment);
  putConnection(environment, unplaced);
};
const storing = (environment: TestEnvironment) => {
  connected(environment);
  putProject(environment, { backupStorage: { connectionRef: { name: connectionName }, bucket } });
};
/** What a request writes: a connection, and its keys in a Secret beside it. */
const requested = (environment: TestEnvironment) => {
  project(environment);
  putKeys(environment, undefined, requestedKeys);
  const metadata = { ...inSystem(requestedKeys), labels: keysLabels(projectName) };
  environment.cluster.put(secrets, { ...secretIn(environment, requestedKeys), metadata });
  putConnection(environment, { ...unplaced, secretRef: { name: requestedKeys } });
};
const both =
  (...acts: readonly ((environment: TestEnvironment) => void)[]) =>
  (environment: TestEnvironment) => {
    for (const act of acts) act(environment);
  };
const wrong = { ACCESS_KEY_ID: rootKey.accessKeyId, ACCESS_SECRET_KEY: 'another' };

/** A change by somebody once connection and storage report this. */
const once = (state: string, text: string, edit: (environment: TestEnvironment) => void): Act => ({
  text,
  when: (environment) => stateIn(environment) === state,
  edit,
});

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];
const works = 'Connected StorageWorks';

const told: readonly Told[] = [
  ['a connection that works', 'Connected', connected],
  [
    'the Secret comes late',
    'Connected',
    both(project, (environment) => putConnection(environment, unplaced)),
    once('SecretMissing', 'the Secret comes', (environment) => putKeys(environment)),
  ],
  [
    'wrong keys, then right ones',
    'Connected',
    both(connected, (environment) => putKeys(environment, wrong)),
    once('Refused', 'the right keys come', (environment) => putKeys(environment)),
  ],
  [
    'the cloud is silent, then answers',
    'Connected',
    both(connected, failing('TimeoutError', null)),
    once('Unreachable', 'the cloud answers', heals),
  ],
  ['backup storage is made', works, storing],
  [
    'backup storage is refused, then made',
    works,
    both(storing, failing('AccessDenied', 403)),
    once('Refused StorageFails', 'the cloud allows it', heals),
  ],
  [
    'the keys of the connection come late',
    works,
    both(storing, ({ cluster }) => cluster.drop(secrets, connectionSecret)),
    once('SecretMissing StorageFails', 'the keys come', (environment) => putKeys(environment)),
  ],
  [
    'the Secret of the storage is deleted',
    works,
    storing,
    once(works, 'its Secret is deleted', ({ cluster }) => cluster.drop(secrets, secretName)),
  ],
  [
    'the connection of a request is deleted by kubectl',
    '',
    requested,
    once('Connected', 'the connection is deleted', ({ cluster }) => cluster.drop(cloudConnections, connectionName)),
  ],
];

/** Keys differ in every run. */
const whichKey = (difference: string) => /^Secret \S+\.(data\.|metadata\.annotations\.)/.test(difference);

const oracle = (environment: TestEnvironment, hasUserEdits: boolean): Oracle => {
  const secretsIssued = () => [...environment.cloud.model.state.keys.values()].map(({ secret }) => secret);
  const own = () => [...environment.cloud.model.state.keys.values()].filter(({ user }) => user === userOf(bucket));
  return {
    look: (changed) => {
      if (changed.kind === secrets.kind) return [];
      const text = JSON.stringify(changed);
      return secretsIssued().some((secret) => text.includes(secret)) ? [`${keyOf(changed)} shows a key`] : [];
    },
    atRest: () => {
      if (!connectionIn(environment) && secretIn(environment, requestedKeys))
        return [`${requestedKeys} outlives its connection`];
      // What somebody changes in the cloud is found within ten minutes, which may be after everything has come to rest.
      if (hasUserEdits || storageIn(environment) !== 'StorageWorks') return [];
      const stored = keysIn(secretIn(environment, secretName));
      return [
        ...(own().length === 1 ? [] : [`${own().length} keys of the user are alive`]),
        ...(own().some(({ id, secret }) => id === stored.accessKeyId && secret === stored.secretAccessKey)
          ? []
          : ['the Secret holds a key that the cloud does not know']),
        ...(environment.cloud.model.state.buckets.has(bucket) ? [] : ['there is no bucket']),
      ];
    },
  };
};

/** Cloud connections, and the backup storage that stands on them. */
export const cloudConnectionSubject: FaultSubject = {
  name: 'cloudConnection',
  tables: ['projectReady', 'provisionRetry'],
  controllers: () => [cloudConnectionController(), projectController()],
  alsoSeen: [],
  paths: told.map(([name, end, given, ...script]) => ({
    name,
    given,
    script,
    actors: () => [],
    ends: [end],
    mayDiffer: whichKey,
  })),
  state: stateIn,
  userEdits: {
    'the keys are replaced by wrong ones': (environment) => {
      if (secretIn(environment, connectionSecret)) putKeys(environment, wrong);
    },
    'the Secret of the storage is deleted': ({ cluster }) => cluster.drop(secrets, secretName),
    'the bucket is deleted': ({ cloud }) => void cloud.model.state.buckets.delete(bucket),
    'the keys of the user are deleted': ({ cloud }) => {
      for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
    },
  },
  oracle,
};
