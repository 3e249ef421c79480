import { Effect } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { connectionController } from '../../../runtime/controllers/gitHostConnection/controller.ts';
import { connections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { World } from '../../support/world.ts';
import { connectionOracle } from './connection/oracle.ts';
import { connectionIn, names, putConnection, putPlatform, putToken, reasonIn, secretIn } from './connection/objects.ts';
import { connectionPaths } from './connection/paths.ts';
import type { FaultSubject } from './subject.ts';

const specIs = (spec: Parameters<typeof putConnection>[1]) => (world: World) => {
  if (connectionIn(world)) putConnection(world, spec);
};
const statusIs = (status: object) => (world: World) => {
  const { connection: name } = names;
  if (connectionIn(world)) Effect.runSync(world.cluster.patchStatus(connections, { name }, status));
};
const onSecret = (change: (world: World) => void) => (world: World) => {
  if (secretIn(world)) change(world);
};
const annotated = (world: World, annotations: Readonly<Record<string, string | null>>) =>
  Effect.runSync(world.cluster.patch(connections, { name: names.connection }, { metadata: { annotations } }));

const ready = {
  type: 'Ready',
  status: 'True',
  reason: 'TokenReady',
  message: 'somebody says so',
  lastTransitionTime: '2026-01-01T00:00:00Z',
};

/** External changes by users of kubectl to a connection and its dependencies. */
const userEdits: FaultSubject['userEdits'] = {
  'another installation': specIs({ installationID: 8 }),
  'another Secret is named': specIs({ secretRef: { name: 'nobody-has-this' } }),
  'the Secret is replaced': onSecret((world) => putToken(world, 'token-of-somebody')),
  'the token is taken away': onSecret((world) => putToken(world, null)),
  'the annotations of the Secret are removed': onSecret((world) => {
    const { metadata: { annotations: _, ...metadata } = { name: '' }, data = {} } = secretIn(world) ?? {};
    world.cluster.put(secrets, { metadata: { ...metadata, annotations: {} }, data });
  }),
  'the Secret is deleted': ({ cluster }) => cluster.drop(secrets, names.secret),
  'the application is no longer named': (world) => putPlatform(world, null),
  'the key is deleted': ({ cluster }) => cluster.drop(secrets, names.application),
  'the status is emptied': statusIs({ conditions: null, tokenExpiresAt: null }),
  'the condition is patched': statusIs({ conditions: [ready] }),
  'the connection is deleted': ({ cluster }) => cluster.drop(connections, names.connection),
  'the connection is created anew': (world) => {
    const spec = connectionIn(world)?.spec;
    if (!spec) return;
    world.cluster.drop(connections, names.connection);
    putConnection(world, spec);
  },
  'the connection is paused and goes on': (world) => {
    if (!connectionIn(world)) return;
    annotated(world, { [annotation.paused]: 'true' });
    annotated(world, { [annotation.paused]: null });
  },
};

/** The connection to the Git host, with every event of its token. */
export const connectionSubject: FaultSubject = {
  name: 'connection',
  tables: [],
  controllers: () => [connectionController()],
  alsoSeen: [],
  paths: connectionPaths,
  state: reasonIn,
  userEdits,
  oracle: connectionOracle,
};
