import { Context } from 'effect';
import type { AnyLifecycle } from '../../../runtime/contract/lifecycle.ts';
import type { KubeObject } from '../../../crds/kind.ts';
import { Cluster, type ClusterShape } from '../../../runtime/services/cluster/cluster.ts';
import { GitHost, type GitHostShape } from '../../../runtime/services/gitHost.ts';
import { ObjectStore, type ObjectStoreShape } from '../../../runtime/services/objectStore.ts';
import { around, type Plant } from './bug.ts';
import type { Ensure } from '../../../runtime/contract/ensure.ts';
import type { Controller } from '../../../runtime/contract/controller.ts';

/** Changes the cluster as every process sees it, separately for each process. */
export const withCluster = (change: (cluster: ClusterShape) => ClusterShape): Plant =>
  around({ services: (services) => Context.add(services, Cluster, change(Context.get(services, Cluster))) });

export const withGit = (change: (host: GitHostShape) => GitHostShape): Plant =>
  around({ services: (services) => Context.add(services, GitHost, change(Context.get(services, GitHost))) });

export const withStore = (change: (store: ObjectStoreShape) => ObjectStoreShape): Plant =>
  around({ services: (services) => Context.add(services, ObjectStore, change(Context.get(services, ObjectStore))) });

/** Changes the controller of one kind. */
export const withController = (kind: string, change: (controller: Controller) => Controller): Plant =>
  around({
    controllers: (controllers) => controllers.map((one) => (one.resource.kind === kind ? change(one) : one)),
  });

/** Changes the lifecycle of builds. */
export const withBuild = (change: (lifecycle: AnyLifecycle) => AnyLifecycle): Plant =>
  withController('CoreBuild', (controller) => ({ ...controller, lifecycles: controller.lifecycles.map(change) }));

/** Changes one ensure of builds. */
export const withEnsure = (name: string, change: (ensure: Ensure<KubeObject>) => Ensure<KubeObject>): Plant =>
  withBuild((lifecycle) => {
    const ensure = lifecycle.ensures[name];
    if (!ensure) throw new Error(`no ensure is called ${name}`);
    return { ...lifecycle, ensures: { ...lifecycle.ensures, [name]: change(ensure) } };
  });

/** Changes what one action of builds writes. */
export const withWrites = (action: string, change: (fields: object) => object): Plant =>
  withBuild((lifecycle) => {
    const { [action]: changed } = lifecycle.actions;
    const patch = changed?.patch;
    if (!patch) throw new Error(`no action is called ${action}`);
    const own = { ...changed, patch: (writing: Parameters<typeof patch>[0]) => ({ ...change(patch(writing)) }) };
    return { ...lifecycle, actions: { ...lifecycle.actions, [action]: own } };
  });

/** The value without these fields. */
export const without =
  (...names: readonly string[]) =>
  (fields: object): object =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
