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
} from '../../support/cloud/world.ts';
import { rootKey } from '../../support/memory/cloud.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import { inSystem, projectIn, projectName, putCluster, putProject } from '../../support/project.ts';
import type { World } from '../../support/world.ts';
import type { Act, FaultSubject, Oracle, Path } from './subject.ts';

const bucket = 'core-backups';
const secretName = storageSecretName(bucket);
const requestedKeys = connectionSecretName(connectionName);

const reasonOf = (said: string): string => said.split(' ')[1]?.replace(':', '') ?? '';
const readyIn = (world: World): string => reasonOf(conditionSaid(connectionIn(world), 'Ready'));
const storageIn = (world: World): string => reasonOf(conditionSaid(projectIn(world), 'BackupStorage'));
/** What connection and storage report, in one word each. */
const stateIn = (world: World): string => [readyIn(world), storageIn(world)].filter((word) => word !== '').join(' ');

const failing = (code: string, status: number | null) => (world: World) => {
  world.cloud.failing = new CloudFailed({ code, status, why: code });
};
const heals = (world: World) => {
  world.cloud.failing = null;
};

/** A region in a Secret would be in the connection, too. */
const unplaced = { region: undefined as never };

const project = (world: World) => {
  putCluster(world);
  putProject(world);
};
const connected = (world: World) => {
  project(world);
  putKeys(world);
  putConnection(world, unplaced);
};
const storing = (world: World) => {
  connected(world);
  putProject(world, { backupStorage: { connectionRef: { name: connectionName }, bucket } });
};
/** What a request writes: a connection, and its keys in a Secret beside it. */
const requested = (world: World) => {
  project(world);
  putKeys(world, undefined, requestedKeys);
  const metadata = { ...inSystem(requestedKeys), labels: keysLabels(projectName) };
  world.cluster.put(secrets, { ...secretIn(world, requestedKeys), metadata });
  putConnection(world, { ...unplaced, secretRef: { name: requestedKeys } });
};
const both =
  (...acts: readonly ((world: World) => void)[]) =>
  (world: World) => {
    for (const act of acts) act(world);
  };
const wrong = { ACCESS_KEY_ID: rootKey.accessKeyId, ACCESS_SECRET_KEY: 'another' };

/** A change by somebody once connection and storage report this. */
const once = (state: string, text: string, edit: (world: World) => void): Act => ({
  text,
  when: (world) => stateIn(world) === state,
  edit,
});

type Told = readonly [name: string, end: string, given: Path['given'], ...script: readonly Act[]];
const works = 'Connected StorageWorks';

const told: readonly Told[] = [
  ['a connection that works', 'Connected', connected],
  [
    'the Secret comes late',
    'Connected',
    both(project, (world) => putConnection(world, unplaced)),
    once('SecretMissing', 'the Secret comes', (world) => putKeys(world)),
  ],
  [
    'wrong keys, then right ones',
    'Connected',
    both(connected, (world) => putKeys(world, wrong)),
    once('Refused', 'the right keys come', (world) => putKeys(world)),
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
    once('SecretMissing StorageFails', 'the keys come', (world) => putKeys(world)),
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

const oracle = (world: World, hasUserEdits: boolean): Oracle => {
  const secretsIssued = () => [...world.cloud.model.state.keys.values()].map(({ secret }) => secret);
  const own = () => [...world.cloud.model.state.keys.values()].filter(({ user }) => user === userOf(bucket));
  return {
    look: (changed) => {
      if (changed.kind === secrets.kind) return [];
      const text = JSON.stringify(changed);
      return secretsIssued().some((secret) => text.includes(secret)) ? [`${keyOf(changed)} shows a key`] : [];
    },
    atRest: () => {
      if (!connectionIn(world) && secretIn(world, requestedKeys)) return [`${requestedKeys} outlives its connection`];
      // What somebody changes in the cloud is found within ten minutes, which may be after everything has come to rest.
      if (hasUserEdits || storageIn(world) !== 'StorageWorks') return [];
      const stored = keysIn(secretIn(world, secretName));
      return [
        ...(own().length === 1 ? [] : [`${own().length} keys of the user are alive`]),
        ...(own().some(({ id, secret }) => id === stored.accessKeyId && secret === stored.secretAccessKey)
          ? []
          : ['the Secret holds a key that the cloud does not know']),
        ...(world.cloud.model.state.buckets.has(bucket) ? [] : ['there is no bucket']),
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
    'the keys are replaced by wrong ones': (world) => {
      if (secretIn(world, connectionSecret)) putKeys(world, wrong);
    },
    'the Secret of the storage is deleted': ({ cluster }) => cluster.drop(secrets, secretName),
    'the bucket is deleted': ({ cloud }) => void cloud.model.state.buckets.delete(bucket),
    'the keys of the user are deleted': ({ cloud }) => {
      for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
    },
  },
  oracle,
};
