import { Effect } from 'effect';
import { annotation } from '../../../crds/names.ts';
import { connectionController } from '../../../runtime/controllers/gitHostConnection/controller.ts';
import { connections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { TestEnvironment } from '../../support/environment.ts';
import { connectionOracle } from './connection/oracle.ts';
import { connectionIn, names, putConnection, putPlatform, putToken, reasonIn, secretIn } from './connection/objects.ts';
import { connectionPaths } from './connection/paths.ts';
import type { FaultSubject } from './subject.ts';

const specIs = (spec: Parameters<typeof putConnection>[1]) => (environment: TestEnvironment) => {
  if (connectionIn(environment)) putConnection(environment, spec);
};
const statusIs = (status: object) => (environment: TestEnvironment) => {
  const { connection: name } = names;
  if (connectionIn(environment)) Effect.runSync(environment.cluster.patchStatus(connections, { name }, status));
};
const onSecret = (change: (environment: TestEnvironment) => void) => (environment: TestEnvironment) => {
  if (secretIn(environment)) change(environment);
};
const annotated = (environment: TestEnvironment, annotations: Readonly<Record<string, string | null>>) =>
  Effect.runSync(environment.cluster.patch(connections, { name: names.connection }, { metadata: { annotations } }));

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
  'the Secret is replaced': onSecret((environment) => putToken(environment, 'token-of-somebody')),
  'the token is taken away': onSecret((environment) => putToken(environment, null)),
  'the annotations of the Secret are removed': onSecret((environment) => {
    const { metadata: { annotations: _, ...metadata } = { name: '' }, data = {} } = secretIn(environment) ?? {};
    environment.cluster.put(secrets, { metadata: { ...metadata, annotations: {} }, data });
  }),
  'the Secret is deleted': ({ cluster }) => cluster.drop(secrets, names.secret),
  'the application is no longer named': (environment) => putPlatform(environment, null),
  'the key is deleted': ({ cluster }) => cluster.drop(secrets, names.application),
  'the status is emptied': statusIs({ conditions: null, tokenExpiresAt: null }),
  'the condition is patched': statusIs({ conditions: [ready] }),
  'the connection is deleted': ({ cluster }) => cluster.drop(connections, names.connection),
  'the connection is created anew': (environment) => {
    const spec = connectionIn(environment)?.spec;
    if (!spec) return;
    environment.cluster.drop(connections, names.connection);
    putConnection(environment, spec);
  },
  'the connection is paused and goes on': (environment) => {
    if (!connectionIn(environment)) return;
    annotated(environment, { [annotation.paused]: 'true' });
    annotated(environment, { [annotation.paused]: null });
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
