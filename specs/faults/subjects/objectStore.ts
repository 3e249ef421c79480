import { Effect } from 'effect';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { coreObjectStore } from '../../../crds/coreObjectStore.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { cloudConnectionController } from '../../../runtime/controllers/cloud/controller.ts';
import { objectStoreController } from '../../../runtime/controllers/objectStore/controller.ts';
import { projectController } from '../../../runtime/controllers/project/controller.ts';
import { objectStores, projects } from '../../../runtime/kinds.ts';
import { secrets } from '../../../runtime/resources.ts';
import { CloudFailed } from '../../../runtime/services/cloud.ts';
import { conditionSaid, connectionName, keysIn, putConnection, putKeys, secretIn } from '../../support/cloud/world.ts';
import { keyOf } from '../../support/memoryCluster.ts';
import { inSystem, projectIn, putCluster, putProject } from '../../support/project.ts';
import type { World } from '../../support/world.ts';
import type { FaultSubject, Judge, Path } from './subject.ts';

const name = 'files';
const keysSecret = 'files-bucket-keys';

const storeIn = ({ cluster }: World) => cluster.all(objectStores).find(({ metadata }) => metadata.name === name);
const stateIn = (world: World): string =>
  conditionSaid(storeIn(world), 'Ready').split(':')[0]?.replace(/^\w+ /, '') ?? '';

const isReady = {
  type: 'Ready',
  status: 'True',
  reason: 'ProjectReady',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};
const standing = { status: { phase: 'ProjectReady', conditions: [isReady] } };

/** A bucket in the account of a project's connection. A region in a Secret would be in the connection, too. */
const given =
  (prepare: (world: World) => void = () => {}): Path['given'] =>
  (world) => {
    putCluster(world);
    putProject(world);
    // A project that is set up already: no failure is counted before the first one of the path.
    world.cluster.put(projects, { ...projectIn(world), ...standing } as CoreProject);
    putKeys(world);
    putConnection(world, { region: undefined as never });
    prepare(world);
    world.cluster.put(objectStores, {
      ...typeMeta(coreObjectStore),
      metadata: { ...inSystem(name), generation: 1 },
      spec: {
        project: 'shop',
        environment: 'production',
        mode: 'Bucket',
        connectionRef: { name: connectionName },
        deploy: { enabled: true },
      },
    });
  };

const refuses = (world: World) => {
  world.cloud.failing = new CloudFailed({ code: 'AccessDenied', status: 403, why: 'AccessDenied' });
};
const ready = 'ObjectStoreReady';

/** Keys differ in every run, and the time of a failure outlives its row. */
const whichKey = (difference: string) =>
  /^Secret \S+\.(data\.|metadata\.annotations\.)/.test(difference) || difference.includes('.lastFailureAt: ');
const common = { actors: () => [], mayDiffer: whichKey } as const;

const paths: readonly Path[] = [
  { ...common, name: 'a bucket is made', given: given(), script: [], ends: [ready] },
  {
    ...common,
    name: 'the cloud refuses, then allows it',
    given: given(refuses),
    script: [
      {
        text: 'the cloud allows it',
        when: (world) => conditionSaid(storeIn(world), 'Ready').includes('AccessDenied'),
        hand: (world) => {
          world.cloud.failing = null;
        },
      },
    ],
    ends: [ready],
  },
  {
    ...common,
    name: 'a bucket is deleted with what is in it',
    given: given(),
    script: [
      {
        text: 'it is deleted',
        when: (world) => stateIn(world) === ready,
        hand: (world) => {
          const { bucket = '' } = storeIn(world)?.status ?? {};
          if (world.cloud.model.state.buckets.has(bucket)) world.cloud.put(bucket, 'a', 'text');
          Effect.runSync(world.cluster.remove(objectStores, { name }));
        },
      },
    ],
    ends: [''],
  },
];

const judge = (world: World, byHand: boolean): Judge => {
  const issued = () => [...world.cloud.model.state.keys.values()];
  const own = () => issued().filter(({ user }) => user !== null);
  return {
    look: (changed) => {
      if (changed.kind === secrets.kind) return [];
      const text = JSON.stringify(changed);
      return issued().some(({ secret }) => text.includes(secret)) ? [`${keyOf(changed)} shows a key`] : [];
    },
    atRest: () => {
      const { buckets, users } = world.cloud.model.state;
      if (storeIn(world) === undefined)
        return buckets.size + users.size + own().length === 0 ? [] : ['something of a deleted bucket is left'];
      // What somebody changes in the cloud is found within ten minutes, which may be after everything has come to rest.
      if (byHand || stateIn(world) !== ready) return [];
      const stored = keysIn(secretIn(world, keysSecret));
      return [
        ...(own().length === 1 ? [] : [`${own().length} keys are alive`]),
        ...(own().some(({ id }) => id === stored.accessKeyId) ? [] : ['the Secret holds a key that nobody knows']),
        ...(buckets.size === 1 ? [] : [`there are ${buckets.size} buckets`]),
      ];
    },
  };
};

/** Buckets in an account, from their making to their end. */
export const objectStoreSubject: FaultSubject = {
  name: 'objectStore',
  tables: ['draftDeploy', 'provisionRetry', 'projectReady'],
  removes: true,
  controllers: () => [cloudConnectionController(), objectStoreController(), projectController()],
  alsoSeen: [],
  paths,
  state: stateIn,
  hands: {
    'the Secret with the key is deleted': ({ cluster }) => cluster.drop(secrets, keysSecret),
    'the keys of the user are deleted': ({ cloud }) => {
      for (const { id, user } of cloud.model.state.keys.values()) if (user !== null) cloud.model.state.keys.delete(id);
    },
  },
  judge,
};
