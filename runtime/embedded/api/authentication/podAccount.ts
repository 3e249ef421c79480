import { setTimeout as sleep } from 'node:timers/promises';
import type { Stored } from '../../store.ts';
import { suffix } from '../generatedName.ts';
import { type Json, at, isJson, jsonAt, listAt, textAt } from '../json.ts';
import { forbidden } from '../status.ts';
import type { ApiStore } from '../store/store.ts';
import { defaultAccount } from './namespaceAccounts.ts';

const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const patience = 10;
const waitMs = 100;

/** A pod with the service account that it runs as, its pull secrets and its token; 403 when there is no such account. */
export async function withServiceAccount(store: ApiStore, namespace: string, pod: Json): Promise<Json> {
  const asked = jsonAt(pod, 'spec');
  const name = textAt(asked, 'serviceAccountName') || textAt(asked, 'serviceAccount') || defaultAccount;
  const account = await accountOf(store, namespace, name);
  if (!account) {
    const why = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
    throw forbidden({ group: '', plural: 'pods' }, textAt(pod, 'metadata', 'name'), why);
  }
  const secrets = listAt(account, 'imagePullSecrets');
  const spec = {
    ...asked,
    serviceAccountName: name,
    serviceAccount: name,
    ...(secrets.length > 0 && listAt(asked, 'imagePullSecrets').length === 0 && { imagePullSecrets: secrets }),
  };
  return { ...pod, spec: wantsToken(asked, account) ? withToken(spec) : spec };
}

/** That of a namespace that has just been made may still be on its way. */
async function accountOf(store: ApiStore, namespace: string, name: string): Promise<Stored | undefined> {
  const find = () => store.get({ bucket: '/serviceaccounts', namespace, name });
  for (let tries = 0; name === defaultAccount && !find() && tries < patience; tries++) await sleep(waitMs);
  return find();
}

const wantsToken = (spec: Json, account: Stored) =>
  (at(spec, 'automountServiceAccountToken') ?? at(account, 'automountServiceAccountToken')) !== false;

/** Mounts a token, the authority's certificate and the namespace into every container that has nothing in their place. */
function withToken(spec: Json): Json {
  const volumes = listAt(spec, 'volumes');
  const known = volumes.find((volume) => textAt(volume, 'name').startsWith('kube-api-access-'));
  const name = known === undefined ? `kube-api-access-${suffix()}` : textAt(known, 'name');
  const mount = (field: string) =>
    Array.isArray(spec[field]) ? { [field]: listAt(spec, field).map((one) => mounted(one, name)) } : {};
  return {
    ...spec,
    ...mount('initContainers'),
    ...mount('containers'),
    volumes: known === undefined ? [...volumes, { name, projected }] : volumes,
  };
}

function mounted(container: unknown, name: string): unknown {
  if (!isJson(container)) return container;
  const mounts = listAt(container, 'volumeMounts');
  if (mounts.some((mount) => textAt(mount, 'mountPath') === mountPath)) return container;
  return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath }] };
}

const projected = {
  defaultMode: 0o644,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3_607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
};
