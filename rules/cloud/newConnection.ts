import type { Secret } from '../../crds/builtIn.ts';
import {
  type CloudConnectionSpec,
  coreCloudConnection,
  type CoreCloudConnection,
} from '../../crds/coreCloudConnection.ts';
import { typeMeta } from '../../crds/kind.ts';
import { label, managedBy, systemNamespace } from '../../crds/names.ts';
import { secretKeys } from './keys.ts';

/** The keys that a request gives a connection. */
export interface KeysAsked {
  readonly accessKeyId?: string;
  readonly secretAccessKey?: string;
  readonly organization?: string;
  readonly token?: string;
}

/** The settings that a request gives a connection. */
export type ConnectionAsked = Pick<CloudConnectionSpec, 'provider' | 'region' | 'endpoint' | 'iamEndpoint'>;

/** The Secret of a connection created by a request. */
export const connectionSecretName = (name: string): string => `${name}-cloud-keys`;

/** The labels of a Secret that a request wrote for the connections of a project. */
export const keysLabels = (project: string) => ({ [label.managedBy]: managedBy, [label.project]: project });

/** Whether a request wrote a Secret for connections of the project; any other is neither changed nor deleted. */
export function isKeysOf({ spec: { project = '' } }: CoreCloudConnection, { metadata }: Secret): boolean {
  const { name, labels = {}, ownerReferences = [] } = metadata;
  const isNamed = name.endsWith(connectionSecretName(''));
  return (
    (isNamed || ownerReferences.some(({ kind }) => kind === coreCloudConnection.kind)) &&
    Object.entries(keysLabels(project)).every(([key, value]) => labels[key] === value)
  );
}

export const newConnection = (name: string, project: string, asked: ConnectionAsked): CoreCloudConnection => {
  const { provider, region, endpoint, iamEndpoint } = asked;
  return {
    ...typeMeta(coreCloudConnection),
    metadata: { name, namespace: systemNamespace },
    spec: {
      project,
      provider,
      ...(region ? { region } : {}),
      ...(endpoint ? { endpoint } : {}),
      ...(iamEndpoint ? { iamEndpoint } : {}),
      secretRef: { name: connectionSecretName(name) },
    },
  };
};

const keyOf: Readonly<Record<keyof KeysAsked, string>> = {
  accessKeyId: 'ACCESS_KEY_ID',
  secretAccessKey: 'ACCESS_SECRET_KEY',
  organization: 'organization',
  token: 'token',
};

const fieldOf = (key: string): string => Object.entries(keyOf).find(([, named]) => named === key)?.[0] ?? key;

/** The keys of a request in the form of their Secret; empty ones count as not given. */
export function keysGiven(
  provider: CloudConnectionSpec['provider'],
  asked: KeysAsked,
): Readonly<Record<string, string>> {
  const wanted: readonly string[] = secretKeys[provider];
  return Object.fromEntries(
    Object.entries(keyOf)
      .map(([field, key]) => [key, asked[field as keyof KeysAsked] ?? ''] as const)
      .filter(([key, value]) => wanted.includes(key) && value !== ''),
  );
}

/** The first field that a new connection of a provider lacks; null when it has all. */
export const fieldLacking = (provider: CloudConnectionSpec['provider'], asked: KeysAsked): string | null => {
  const given = keysGiven(provider, asked);
  const lacking = secretKeys[provider].find((key) => given[key] === undefined);
  return lacking === undefined ? null : fieldOf(lacking);
};
