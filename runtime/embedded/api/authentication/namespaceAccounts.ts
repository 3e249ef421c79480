import type { Change, Place, Stored } from '../../store.ts';
import { textAt } from '../json.ts';
import type { ApiStore } from '../store/store.ts';

const rootCa = 'kube-root-ca.crt';
export const defaultAccount = 'default';
const retryMs = 1_000;

/** Keeps in every namespace the ServiceAccount `default` and the certificate of the cluster's authority. */
export async function keepNamespaceAccounts(
  store: ApiStore,
  caPem: string,
): Promise<{ readonly stop: () => Promise<void> }> {
  const working = new Set<Promise<void>>();
  let stopped = false;

  function hear({ bucket, object }: Change) {
    if (bucket === '/namespaces') look(object.metadata.name);
    const { name, namespace = '' } = object.metadata;
    const isOurs =
      (bucket === '/serviceaccounts' && name === defaultAccount) || (bucket === '/configmaps' && name === rootCa);
    if (isOurs) look(namespace);
  }

  function look(namespace: string) {
    if (stopped) return;
    const work: Promise<void> = keep(namespace)
      .catch(() => void setTimeout(() => look(namespace), retryMs).unref())
      .finally(() => working.delete(work));
    working.add(work);
  }

  async function keep(namespace: string) {
    const found = store.get({ bucket: '/namespaces', namespace: '', name: namespace });
    if (!found || found.metadata.deletionTimestamp !== undefined) return;
    await Promise.all([keepAccount(namespace), keepCertificate(namespace)]);
  }

  async function keepAccount(namespace: string) {
    const place: Place = { bucket: '/serviceaccounts', namespace, name: defaultAccount };
    if (!store.get(place))
      await store.create(place, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: defaultAccount } });
  }

  async function keepCertificate(namespace: string) {
    const place: Place = { bucket: '/configmaps', namespace, name: rootCa };
    const data = { 'ca.crt': caPem };
    const found = store.get(place);
    if (!found) await store.create(place, { apiVersion: 'v1', kind: 'ConfigMap', metadata: rootCaMetadata, data });
    else if (textAt(found, 'data', 'ca.crt') !== caPem) await store.update(place, (old) => ({ ...old, data }));
  }

  const forget = store.onChange(hear);
  store.list('/namespaces').forEach(({ metadata: { name } }: Stored) => look(name));
  await Promise.all(working);
  return {
    async stop() {
      stopped = true;
      forget();
      await Promise.all(working);
    },
  };
}

const rootCaMetadata = {
  name: rootCa,
  annotations: {
    'kubernetes.io/description': 'The certificate of the authority that vouches for the API server of this cluster.',
  },
};
