import { Buffer } from 'node:buffer';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreProject } from '../../../crds/coreProject.ts';
import { annotation } from '../../../crds/names.ts';
import type { StatusItem } from '../../../http/api.ts';
import { clusterNodes, unmanagedPods } from '../../../runtime/controllers/capacity.ts';
import { apps, clusters, projects } from '../../../runtime/services/cluster/kinds.ts';
import { historyOf } from '../../../runtime/step/history.ts';
import { putNode, putDatabaseEnvironment, putSystemPod } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { type Answer, serve, type Served } from '../served.ts';

export const placed = { project: 'shop', environment: 'production' };
export const image = 'registry.local/shop/web:1';

const hasTesting = (project: CoreProject | undefined) => project?.spec.environments.includes('testing') === true;

/** A server with a project that is Ready, its cluster and a node with room. */
export const serveShop = async (
  change?: Parameters<typeof serve>[2],
  settings: Parameters<typeof serve>[0] = {},
): Promise<Served> => withShop(await serve(settings, {}, change));

/** Puts a project that is Ready, its cluster and a node with room into the world of a server. */
export async function withShop(served: Served): Promise<Served> {
  putDatabaseEnvironment(served.world);
  const [shop] = served.world.cluster.all(projects);
  if (!shop) throw new Error('no project');
  served.world.cluster.put(projects, { ...shop, spec: { ...shop.spec, environments: ['production', 'testing'] } });
  const { caches } = served.operator;
  await until(
    () => hasTesting(caches.get(projects, 'shop')) && caches.get(clusters, 'local') && caches.get(clusterNodes, 'one'),
    'the project, its cluster and its node are cached',
  );
  return served;
}

/** What is asked of services, as an admin who is signed in, and what stands afterwards. */
export function asking(served: Served) {
  const { world, operator } = served;
  const post = (path: string, body: object = {}) => served.post(`/api/v1${path}`, body);
  const stored = (name = 'web'): CoreApp | undefined =>
    world.cluster.all(apps).find(({ metadata }) => metadata.name === name);
  const notReady = { type: 'Ready', status: 'False' };
  const cachedNode = (text: string) =>
    until(() => JSON.stringify(operator.caches.get(clusterNodes, 'one')).includes(text), 'the node is cached');
  const create = (fields: object = {}) => post('/apps', { ...placed, name: 'web', image, ...fields });
  return {
    post,
    stored,
    create,
    patch: (fields: object, name = 'web') =>
      served.ask(`/api/v1/apps/${name}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      }),
    remove: (query: string, name = 'web') => served.ask(`/api/v1/apps/${name}${query}`, { method: 'DELETE' }),
    read: async <T>(path: string) => (await served.ask(`/api/v1${path}`)).json() as T,
    status: async (name = 'web') => (await served.ask(`/api/v1/apps/${name}/status`)).json() as StatusItem,
    /** A service that is deployed and taken up, with its first record's name. */
    deployed: async (fields: object = {}) => {
      const { status, text } = await create({ deploy: true, ...fields });
      if (status !== 201) throw new Error(text);
      const { name } = JSON.parse(text) as { readonly name: string };
      await until(
        () => operator.caches.get(apps, name)?.status?.deployRevision === annotationOf(stored(name), 'deployRevision'),
        'the deploy is processed',
      );
      return name;
    },
    /** No node has room for anything more that asks for some. */
    fill: async () => {
      putNode(world, '10m');
      await cachedNode('"10m"');
    },
    /** No kubelet takes another pod. */
    occupy: async () => {
      putSystemPod(world, 'kube-proxy');
      putNode(world, '4', '1');
      await cachedNode('"pods":"1"');
      await until(() => operator.caches.list(unmanagedPods, 'kube-system').length > 0, 'the pod is cached');
    },
    /** No node is ready. */
    unready: async () => {
      const [node] = world.cluster.all(clusterNodes);
      if (!node) throw new Error('no node');
      world.cluster.put(clusterNodes, { ...node, status: { ...node.status, conditions: [notReady] } });
      await cachedNode('"False"');
    },
    /** No pass looks at a service any more. */
    pause: async (change: Partial<CoreApp['metadata']> = {}, name = 'web') => {
      const app = stored(name);
      if (!app) throw new Error(`no service ${name}`);
      const annotations = { ...app.metadata.annotations, [annotation.paused]: 'true' };
      const written = world.cluster.put(apps, { ...app, metadata: { ...app.metadata, annotations, ...change } });
      const version = Number(written.metadata.resourceVersion);
      await until(() => Number(operator.caches.get(apps, name)?.metadata.resourceVersion) >= version, 'it is paused');
    },
    count: () => world.cluster.all(apps).length,
  };
}

export type Asking = ReturnType<typeof asking>;

export const annotationOf = (app: CoreApp | undefined, name: keyof typeof annotation): string | undefined =>
  app?.metadata.annotations?.[annotation[name]];

/** The deploys of a service, as they were entered. */
export const movesOf = (app: CoreApp | undefined, machine = 'draftDeploy') =>
  historyOf(app ?? { metadata: { name: '' } })
    .filter((move) => move.machine === machine)
    .map(({ from, event, to, by }) => [from, event, to, by]);

/** Status and text of a refusal, as one line. */
export const refusalOf = ({ status, text }: Answer): string =>
  `${status} ${(JSON.parse(text) as { readonly error?: string }).error ?? text}`;

/** All that a request can save of a service: a pass may write its status meanwhile. */
export const savedOf = (app: CoreApp | undefined): string =>
  JSON.stringify([app?.metadata.uid, app?.metadata.annotations, app?.spec]);

export const decoded = (value = ''): string => Buffer.from(value, 'base64').toString();
