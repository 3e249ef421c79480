import { bucketSecretName } from '../../../crds/names.ts';
import { textIn } from './details.ts';

/** What the connection of a kind holds: what is shown at once, and what on request alone. */
export interface ConnectionShape {
  readonly label: string;
  readonly plain: readonly (readonly [key: string, label: string])[];
  readonly covered: readonly (readonly [key: string, label: string, what: string])[];
  readonly secretWord: string;
  /** The Secret of the environment that holds it; empty while there is none. */
  readonly secretOf: (name: string, status: Readonly<Record<string, unknown>>) => string;
}

export const databaseShape: ConnectionShape = {
  label: 'database',
  plain: [
    ['host', 'Host'],
    ['port', 'Port'],
    ['database', 'Database'],
    ['username', 'User name'],
  ],
  covered: [
    ['password', 'Password', 'the password'],
    ['uri', 'URI', 'the URI'],
  ],
  secretWord: 'password',
  secretOf: (_, status) => textIn(status['connectionSecret']),
};

export const bucketShape: ConnectionShape = {
  label: 'bucket',
  plain: [
    ['endpoint', 'Endpoint'],
    ['region', 'Region'],
    ['bucket', 'Bucket'],
    ['accessKeyId', 'Access key ID'],
  ],
  covered: [['secretAccessKey', 'Secret access key', 'the secret access key']],
  secretWord: 'secret key',
  secretOf: (name, status) => (textIn(status['bucket']) === '' ? '' : bucketSecretName(name)),
};
