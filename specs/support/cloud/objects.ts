import { Effect, Result } from 'effect';
import { coreCloudConnection, type CoreCloudConnection } from '../../../crds/coreCloudConnection.ts';
import type { Secret } from '../../../crds/builtIn.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { typeMeta } from '../../../crds/kind.ts';
import { conditionOf } from '../../../rules/condition.ts';
import { cloudConnections } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import { secretText } from '../../../runtime/services/secretText.ts';
import { rootKey } from '../memory/cloud.ts';
import { inSystem, projectName } from '../project.ts';
import type { TestEnvironment } from '../environment.ts';

export const connectionName = 'aws';
export const connectionSecret = 'aws-keys';

const encoded = (text: string) => Buffer.from(text).toString('base64');

/** The Secret of the connection, with these keys; those of the environment's account unless others are given. */
export const putKeys = (
  { cluster }: TestEnvironment,
  keys: Readonly<Record<string, string>> = {
    ACCESS_KEY_ID: rootKey.accessKeyId,
    ACCESS_SECRET_KEY: rootKey.secret,
  },
  name = connectionSecret,
): void =>
  void cluster.put(secrets, {
    metadata: secretIn({ cluster }, name)?.metadata ?? inSystem(name),
    data: Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, encoded(value)])),
  });

export const connectionIn = ({ cluster }: TestEnvironment, name = connectionName): CoreCloudConnection | undefined =>
  cluster.all(cloudConnections).find(({ metadata }) => metadata.name === name);

/** Writes the connection, changing only these fields of its spec. */
export function putConnection(
  environment: TestEnvironment,
  spec: Partial<CoreCloudConnection['spec']> = {},
  name = connectionName,
): void {
  const { metadata = inSystem(name), spec: before, status } = connectionIn(environment, name) ?? {};
  environment.cluster.put(cloudConnections, {
    ...typeMeta(coreCloudConnection),
    metadata: { ...metadata, generation: ((metadata as KubeObject['metadata']).generation ?? 0) + 1 },
    spec: {
      project: projectName,
      provider: 'Cloud',
      region: 'eu-central-1',
      endpoint: 'http://cloud.test',
      iamEndpoint: 'http://cloud.test/iam',
      secretRef: { name: connectionSecret },
      ...before,
      ...spec,
    },
    ...(status === undefined ? {} : { status }),
  });
}

export const secretIn = ({ cluster }: Pick<TestEnvironment, 'cluster'>, name: string): Secret | undefined =>
  cluster.all(secrets).find(({ metadata }) => metadata.name === name);

/** The reason and message of a condition, `<status> <reason>: <message>`; empty where there is none. */
export function conditionSaid(object: Parameters<typeof conditionOf>[0], type: string): string {
  const found = conditionOf(object, type);
  return found ? `${found.status} ${found.reason}: ${found.message}` : '';
}

/** The keys in a Secret of a bucket. */
export const keysIn = (secret: Secret | undefined) => ({
  accessKeyId: secretText(secret, 'ACCESS_KEY_ID'),
  secretAccessKey: secretText(secret, 'ACCESS_SECRET_KEY'),
});

/** What a request answers, or the code of the refusal. */
export const answerOf = <A>(asked: Effect.Effect<A, { readonly code: string }>): A | string =>
  Result.match(Effect.runSync(Effect.result(asked)), {
    onSuccess: (answer): A | string => answer,
    onFailure: ({ code }) => code,
  });
