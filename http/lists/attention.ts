import type { KubeObject } from '../../crds/kind.ts';
import type { CoreApp } from '../../crds/coreApp.ts';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import {
  type Attention,
  attentionKey,
  attentionOf,
  type Concern,
  type Concerned,
  isConcern,
} from '../../rules/cause/attention.ts';
import { type Reported, type State, stateOf } from '../../rules/state.ts';
import type { Caches } from '../../runtime/cache/caches.ts';
import type { Resource } from '../../runtime/services/cluster/cluster.ts';
import { apps, builds, projects } from '../../runtime/services/cluster/kinds.ts';
import { causesOf } from '../../runtime/step/derive.ts';
import { kindsWithCauses } from '../views/causeKinds.ts';
import { followed } from './followed.ts';

/** The concerns of one root and reason, with their item until one of them changes. */
export interface AttentionGroup {
  readonly key: string;
  readonly concerns: Map<string, readonly Concern[]>;
  item: Attention | null;
}

interface InEnvironment extends Reported {
  readonly spec?: Reported['spec'] & { readonly project?: string; readonly environment?: string };
}

const buildStates: Readonly<Record<string, State>> = { Failed: 'failed', Succeeded: 'ready' };

/** An object as items of attention name it: a project stands in itself. */
export function concernedOf(resource: Resource, object: InEnvironment): Concerned {
  const { name } = object.metadata;
  const { project = resource.kind === projects.kind ? name : '', environment = '' } = object.spec ?? {};
  const build = resource.kind === builds.kind ? (object as CoreBuild) : undefined;
  const state = build ? (buildStates[build.status?.phase ?? ''] ?? 'pending') : stateOf(object);
  return { kind: resource.kind, name, project, environment, state };
}

/**
 * What needs attention, kept as objects change: a change touches its object and the groups of its causes. Of builds
 * only the current one of a service counts.
 */
export function attentionGroups(caches: Pick<Caches, 'of' | 'get'>): () => Iterable<AttentionGroup> {
  const groups = new Map<string, AttentionGroup>();
  const keysOf = new Map<string, readonly string[]>();

  const remove = (id: string): void => {
    for (const key of keysOf.get(id) ?? []) {
      const group = groups.get(key);
      if (group === undefined) continue;
      group.concerns.delete(id);
      group.item = null;
      if (group.concerns.size === 0) groups.delete(key);
    }
    keysOf.delete(id);
  };

  const put = (resource: Resource, object: KubeObject): void => {
    const id = idOf(resource, object.metadata.name);
    remove(id);
    const causes = causesOf(object).filter(isConcern);
    if (causes.length === 0) return;
    const concerned = concernedOf(resource, object);
    if (concerned.state === 'draft') return;
    const keys = new Set<string>();
    for (const cause of causes) {
      const key = attentionKey(cause);
      const group: AttentionGroup = groups.get(key) ?? { key, concerns: new Map(), item: null };
      group.concerns.set(id, [...(group.concerns.get(id) ?? []), { object: concerned, cause }]);
      group.item = null;
      groups.set(key, group);
      keys.add(key);
    }
    keysOf.set(id, [...keys]);
  };

  /** The build that a service is at. */
  const currentBuildOf = (app: KubeObject): CoreBuild | undefined => {
    const build = caches.get(builds, (app as CoreApp).status?.currentBuild ?? '');
    return build?.spec.app === app.metadata.name ? build : undefined;
  };

  const of = (resource: Resource) => ({
    enter: (object: KubeObject) => put(resource, object),
    leave: ({ metadata: { name } }: KubeObject) => remove(idOf(resource, name)),
  });

  const ofBuild = {
    enter: (build: KubeObject) => {
      const { app } = (build as CoreBuild).spec;
      if (caches.get(apps, app)?.status?.currentBuild === build.metadata.name) put(builds, build);
    },
    leave: of(builds).leave,
  };

  const ofApp = {
    enter: (app: KubeObject) => {
      put(apps, app);
      const build = currentBuildOf(app);
      if (build !== undefined) put(builds, build);
    },
    leave: (app: KubeObject) => {
      of(apps).leave(app);
      const build = currentBuildOf(app);
      if (build !== undefined) remove(idOf(builds, build.metadata.name));
    },
  };

  const follower = (resource: Resource) => {
    const { enter, leave } =
      resource.kind === apps.kind ? ofApp : resource.kind === builds.kind ? ofBuild : of(resource);
    return followed(caches.of(resource), {
      begin: (objects) => {
        for (const object of objects) enter(object);
      },
      enter,
      leave,
    });
  };

  const follows = kindsWithCauses.map(follower);
  return () => {
    for (const follow of follows) follow();
    return groups.values();
  };
}

const idOf = ({ kind }: Resource, name: string): string => `${kind}/${name}`;

/** The item of a group. */
export const itemOf = (group: AttentionGroup): Attention | null =>
  (group.item ??= attentionOf(group.key, [...group.concerns.values()].flat()));
