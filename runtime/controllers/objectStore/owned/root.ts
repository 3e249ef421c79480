import { Effect } from 'effect';
import type { CoreObjectStore } from '../../../../crds/coreObjectStore.ts';
import { annotation, label, managedBy, systemNamespace } from '../../../../crds/names.ts';
import { rootSecretName } from '../../../../rules/objectStore/names.ts';
import { goesWith } from '../../../../rules/objectStore/objects.ts';
import { ServiceFailed } from '../../../contract/ensure.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import { Cluster } from '../../../services/cluster/cluster.ts';
import { Passwords } from '../../../services/passwords.ts';
import { readSecret } from '../../../services/secret.ts';

const keyLength = 20;
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** The keys of a server: generated once, stored before use, and never overwritten. */
export const settledRoot = Effect.fnUntraced(function* (store: CoreObjectStore) {
  const { metadata } = store;
  const name = rootSecretName(metadata.name);
  const found = yield* readSecret(name);
  if (found) {
    const isOurs = found.metadata.annotations?.[annotation.ownerUid] === metadata.uid;
    if (!isOurs) yield* new ServiceFailed({ message: `Secret "${name}" exists already and is not of this server` });
    return;
  }
  const passwords = yield* Passwords;
  const cluster = yield* Cluster;
  yield* cluster.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name,
      namespace: systemNamespace,
      labels: { [label.managedBy]: managedBy },
      annotations: { [annotation.ownerUid]: metadata.uid ?? '' },
      ownerReferences: [goesWith(store)],
    },
    data: {
      ACCESS_KEY_ID: encoded((yield* passwords.draw).slice(0, keyLength)),
      ACCESS_SECRET_KEY: encoded(yield* passwords.draw),
    },
  });
});
