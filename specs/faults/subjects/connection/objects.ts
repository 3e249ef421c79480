import { type CoreGitHostConnection, coreGitHostConnection } from '../../../../crds/coreGitHostConnection.ts';
import { corePlatformConfig, platformConfigName } from '../../../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { annotation, systemNamespace } from '../../../../crds/names.ts';
import { hashOf } from '../../../../rules/canonical.ts';
import { conditionOf } from '../../../../rules/condition.ts';
import { isoTime, msOf } from '../../../../rules/time.ts';
import { connections, platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import type { Secret } from '../../../../crds/builtIn.ts';
import { secrets } from '../../../../runtime/services/cluster/resources.ts';
import { secretText } from '../../../../runtime/services/secretText.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

/** The connection of the paths, its Secret, and the Secret of the application. */
export const names = { connection: 'host', secret: 'host-token', application: 'git-app' } as const;

const inSystem = (name: string) => ({ name, namespace: systemNamespace });
const encoded = (text: string) => Buffer.from(text).toString('base64');

export const connectionIn = ({ cluster }: TestEnvironment): CoreGitHostConnection | undefined =>
  cluster.all(connections).find(({ metadata }) => metadata.name === names.connection);

export const secretIn = ({ cluster }: TestEnvironment, name: string = names.secret): Secret | undefined =>
  cluster.all(secrets).find(({ metadata }) => metadata.name === name);

/** The reason of Ready; empty before the first pass, and when there is no connection. */
export const reasonIn = (environment: TestEnvironment): string =>
  conditionOf(connectionIn(environment), 'Ready')?.reason ?? '';

export type Spec = Partial<CoreGitHostConnection['spec']>;

/** Writes the connection, changing only these fields of its spec. */
export function putConnection(environment: TestEnvironment, spec: Spec = {}): void {
  const { metadata = inSystem(names.connection), spec: before, status } = connectionIn(environment) ?? {};
  environment.cluster.put(connections, {
    ...typeMeta(coreGitHostConnection),
    metadata,
    spec: { project: 'demo', secretRef: { name: names.secret }, ...before, ...spec },
    ...(status === undefined ? {} : { status }),
  });
}

/** Replaces the content of the Secret externally; its metadata stays. */
export const putToken = (environment: TestEnvironment, token: string | null, name: string = names.secret): void =>
  void environment.cluster.put(secrets, {
    metadata: secretIn(environment, name)?.metadata ?? inSystem(name),
    data: token === null ? {} : { token: encoded(token) },
  });

/** A token that the application has renewed, valid for this long. */
export const putRenewed = (
  environment: TestEnvironment,
  lastsMs: number,
  token = 'token-of-an-earlier-renewal',
): void =>
  void environment.cluster.put(secrets, {
    metadata: {
      ...inSystem(names.secret),
      annotations: {
        [annotation.tokenExpiresAt]: isoTime(environment.now() + lastsMs),
        [annotation.tokenHash]: hashOf(token),
      },
    },
    data: { token: encoded(token) },
  });

/** Stores the application's key. */
export const putKey = (environment: TestEnvironment): void =>
  void environment.cluster.put(secrets, {
    metadata: inSystem(names.application),
    data: { app_id: encoded('id-of-the-application'), private_key: encoded('key-of-the-application') },
  });

export const putPlatform = (environment: TestEnvironment, application: string | null = names.application): void =>
  void environment.cluster.put(platformConfigs, {
    ...typeMeta(corePlatformConfig),
    metadata: inSystem(platformConfigName),
    spec: { dashboardExposure: 'ingress', ...(application === null ? {} : { gitAppRef: { name: application } }) },
  });

/** Whether a renewal wrote the token, it is unchanged, and it is valid for at least the margin. */
export const isFresh = (secret: Secret | undefined, now: number, marginMs = 0): boolean =>
  secret !== undefined &&
  secret.metadata.annotations?.[annotation.tokenHash] === hashOf(secretText(secret, 'token')) &&
  msOf(secret.metadata.annotations[annotation.tokenExpiresAt] ?? '') - marginMs > now;
