import type { Answer } from './answer.ts';
import type { Registry } from './kinds/registry.ts';
import { noSuchPath } from './status.ts';
import type { ApiStore } from './store/store.ts';

interface Observed {
  readonly store: ApiStore;
  readonly registry: Registry;
  readonly isStopping: () => boolean;
}

interface Check {
  readonly name: string;
  /** Whether it is asked of the readiness alone, or of all but the readiness. */
  readonly ready?: 'alone' | 'never';
  readonly passes: (observed: Observed) => boolean;
}

const holds =
  (bucket: string, name: string) =>
  ({ store }: Observed) =>
    store.get({ bucket, namespace: '', name }) !== undefined;
const always = () => true;

/** The checks, under the names and in the order of Kubernetes; `etcd` is the store of the objects. */
const checks: readonly Check[] = [
  { name: 'ping', passes: always },
  { name: 'log', passes: always },
  { name: 'loopback-serving-certificate', ready: 'never', passes: always },
  { name: 'etcd', passes: holds('/namespaces', 'default') },
  { name: 'etcd-readiness', ready: 'alone', passes: holds('/namespaces', 'default') },
  { name: 'informer-sync', ready: 'alone', passes: ({ registry }) => registry.all().length > 0 },
  { name: 'poststarthook/crd-informer-synced', passes: ({ registry }) => registry.all().length > 0 },
  { name: 'poststarthook/start-system-namespaces-controller', passes: holds('/namespaces', 'kube-system') },
  {
    name: 'poststarthook/rbac/bootstrap-roles',
    passes: holds('rbac.authorization.k8s.io/clusterroles', 'cluster-admin'),
  },
  { name: 'autoregister-completion', passes: ({ registry }) => registry.all().length > 0 },
  { name: 'shutdown', ready: 'alone', passes: ({ isStopping }) => !isStopping() },
];

/** The paths under which each check can be asked for. */
export const healthPaths = (): readonly string[] =>
  ['healthz', 'livez', 'readyz'].flatMap((name) => [
    `/${name}`,
    ...checks.filter(({ ready }) => ready !== hidden(name)).map((check) => `/${name}/${check.name}`),
  ]);

const hidden = (name: string) => (name === 'readyz' ? 'never' : 'alone');

const pattern = /^\/(healthz|livez|readyz)(?:\/(.*))?$/;

/** Whether a path asks how the API is: who asks need not be known. */
export const isHealthPath = (path: string) => pattern.test(path);

/** The health of the API: `ok`, or the checks that passed and failed. */
export function health(path: string, query: URLSearchParams, observed: Observed): Answer {
  const [, name = '', one] = pattern.exec(path) ?? [];
  const asked = checks.filter(({ ready }) => ready !== hidden(name));
  if (one !== undefined && one !== '') {
    const found = asked.find((check) => check.name === one);
    if (!found) throw noSuchPath();
    return found.passes(observed) ? text(200, 'ok') : text(500, 'internal server error: not ready\n');
  }
  return summary(name, asked, query, observed);
}

function summary(name: string, asked: readonly Check[], query: URLSearchParams, observed: Observed): Answer {
  const excluded = new Set(query.getAll('exclude'));
  const failed = asked.filter((check) => !excluded.has(check.name) && !check.passes(observed));
  const lines = asked.map((check) => {
    if (excluded.has(check.name)) return `[+]${check.name} excluded: ok\n`;
    return failed.includes(check) ? `[-]${check.name} failed: reason withheld\n` : `[+]${check.name} ok\n`;
  });
  const unknown = [...excluded].filter((one) => !asked.some((check) => check.name === one)).toSorted();
  const named = unknown.map((one) => JSON.stringify(one)).join(',');
  const told = [
    ...lines,
    ...(unknown.length > 0 ? [`warn: some health checks cannot be excluded: no matches for ${named}\n`] : []),
  ].join('');
  if (failed.length > 0) return text(500, `${told}${name} check failed\n`);
  return text(200, query.has('verbose') ? `${told}${name} check passed\n` : 'ok');
}

const text = (code: number, body: string): Answer => ({ code, text: body, mediaType: 'text/plain; charset=utf-8' });
