import type { Read, Summary } from '../../api.ts';
import { detailOf, fieldsIn, textIn, textsIn } from './details.ts';
import type { FormValues } from './form.ts';

type Provider = 'Cloud' | 'ManagedDb';

/** What an account is linked for. */
export const providers: readonly { readonly value: Provider; readonly label: string }[] = [
  { value: 'Cloud', label: 'Cloud account with buckets' },
  { value: 'ManagedDb', label: 'Provider of managed databases' },
];

interface ConnectionField {
  readonly name: string;
  readonly label: string;
  readonly placeholder?: string;
  /** Whether it is part of the keys, which are sent and never come back. */
  readonly isKey?: boolean;
  /** Whether nobody beside the screen should read it. */
  readonly isSecret?: boolean;
}

const fields: Readonly<Record<Provider, readonly ConnectionField[]>> = {
  Cloud: [
    { name: 'region', label: 'Region', placeholder: 'eu-central-1' },
    { name: 'endpoint', label: 'Endpoint', placeholder: 'that of the cloud' },
    { name: 'iamEndpoint', label: 'Endpoint for users', placeholder: 'that of the cloud' },
    { name: 'accessKeyId', label: 'Access key ID', isKey: true },
    { name: 'secretAccessKey', label: 'Secret access key', isKey: true, isSecret: true },
  ],
  ManagedDb: [
    { name: 'organization', label: 'Organization', isKey: true },
    { name: 'token', label: 'Token', placeholder: 'id:secret', isKey: true, isSecret: true },
  ],
};

const isProvider = (text: string): text is Provider => text in fields;

/** The fields of a new connection, by its provider. */
export const fieldsOfProvider = (provider: string): readonly ConnectionField[] =>
  isProvider(provider) ? fields[provider] : [];

/** The keys of a connection, by its provider. */
export const keysOfProvider = (provider: string): readonly ConnectionField[] =>
  fieldsOfProvider(provider).filter(({ isKey }) => isKey === true);

type Body = Readonly<Record<string, string>>;

const filledIn = (fields: readonly ConnectionField[], values: FormValues): Body =>
  Object.fromEntries(
    fields.map(({ name }) => [name, (values[name] ?? '').trim()] as const).filter(([, value]) => value !== ''),
  );

/** The body of the request that links an account: what is filled in of its provider's fields. */
export function connectionBody(values: FormValues): Body {
  const { name = '', provider = '' } = values;
  return { name: name.trim(), provider, ...filledIn(fieldsOfProvider(provider), values) };
}

/** The body of the request that replaces keys: what is left empty stays. Null where nothing is filled in. */
export function keysBody(provider: string, values: FormValues): Body | null {
  const body = filledIn(keysOfProvider(provider), values);
  return Object.keys(body).length === 0 ? null : body;
}

/** What cannot do without a connection; it is removed after them alone. */
export const usersOfConnection = ({ details }: Summary): readonly string[] => textsIn(details['usedBy']);

/** Where the backups of a project go; null where nothing is chosen. */
export function storageOf({ spec }: Read): { readonly connection: string; readonly bucket: string } | null {
  const { connectionRef, bucket } = fieldsIn(spec['backupStorage']);
  const connection = textIn(fieldsIn(connectionRef)['name']);
  return connection === '' ? null : { connection, bucket: textIn(bucket) };
}

/** Whether the storage that was chosen works; null until the first pass over the project. */
export function storageStatus({
  status,
}: Read): { readonly tone: 'good' | 'bad' | 'waiting'; readonly message: string } | null {
  const { conditions } = status;
  const ready = (Array.isArray(conditions) ? conditions : [])
    .map(fieldsIn)
    .find(({ type }) => type === 'BackupStorage');
  if (ready === undefined) return null;
  const tone = ready['status'] === 'True' ? 'good' : ready['status'] === 'False' ? 'bad' : 'waiting';
  return { tone, message: textIn(ready['message']) };
}

/** The accounts in which a bucket can be made. */
export const bucketAccounts = (connections: readonly Summary[]): readonly Summary[] =>
  connections.filter((one) => detailOf(one, 'provider') === 'Cloud');

/** The body of the request that chooses an account; a bucket without a name is named by the server. */
export const storageBody = (connection: string, bucket: string) => ({
  connection,
  ...(bucket.trim() === '' ? {} : { bucket: bucket.trim() }),
});
