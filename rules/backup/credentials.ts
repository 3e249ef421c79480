import type { Secret } from '../../crds/builtIn.ts';
import type { CoreDatabase, DatabaseSpec } from '../../crds/coreDatabase.ts';
import { namespaceOf } from '../database/effective.ts';
import { databaseLabels } from '../database/labels.ts';

/** The keys to one bucket alone, beside the database whose objects use them. */
export const credentialsSecret = (
  database: CoreDatabase,
  spec: DatabaseSpec,
  given: {
    readonly name: string;
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly region: string;
  },
): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: given.name, namespace: namespaceOf(spec), labels: databaseLabels(database, spec) },
  data: {
    ACCESS_KEY_ID: encoded(given.accessKeyId),
    ACCESS_SECRET_KEY: encoded(given.secretAccessKey),
    REGION: encoded(given.region),
  },
});

const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
