import type { KubeObject } from '../../../crds/kind.ts';
import * as indexes from '../../../runtime/cache/indexes.ts';
import * as tracked from '../../../runtime/cache/tracked.ts';
import { nodeRead } from '../../../runtime/controllers/node/read.ts';
import { clusterNodes } from '../../../runtime/controllers/capacity.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Index, Resource } from '../../../runtime/services/cluster/cluster.ts';
import { type Bug, type Plant, replaced } from './bug.ts';
import { withController } from './decorators.ts';

/** The watches of a kind read something else of a resource than its passes do. */
const readsOf = (kind: string, of: Resource, reads: (watched: KubeObject) => unknown): Plant =>
  withController(kind, (controller) => ({
    ...controller,
    watches: controller.watches.map((one) => (one.resource === of ? { ...one, reads } : one)),
  }));

/** The values of an object in an index stay those that it had when it came. */
const ofItsFirstVersion = <O extends KubeObject>(index: Index<O>): Index<O> => {
  const first = new Map<string, readonly string[]>();
  const keys = (object: O): readonly string[] => {
    const { uid = '' } = object.metadata;
    const known = first.get(uid) ?? index.keys(object);
    first.set(uid, known);
    return known;
  };
  return { ...index, keys };
};

/** Bugs of what a change wakes, and of what is kept between passes, each with the plan that shows it. */
export const wakeBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'conditions of the project unread',
    family: 'stale view',
    text: 'a service hears nothing of its project being Ready no more',
    plan: 'service / the project is never ready / hand does=the_project_is_ready in=Provisioning',
    plant: readsOf('CoreApp', projects, (project) => ('spec' in project ? project.spec : null)),
  },
  {
    name: 'values of a Secret unread',
    family: 'stale view',
    text: 'a service hears which keys its Secret has, and nothing of their values',
    plan: 'service / made by hand / hand does=another_value in=Ready / restarts seed=1',
    plant: readsOf('CoreApp', secrets, (secret) => Object.keys('data' in secret ? Object(secret.data) : {})),
  },
  {
    name: 'labels of a node unread',
    family: 'stale view',
    text: 'a server hears nothing of the labels of its node',
    plan: 'node / its node stands already / hand does=a_label_is_taken_away in=Joined',
    plant: readsOf('CoreNode', clusterNodes, (node) =>
      nodeRead({ ...node, metadata: { ...node.metadata, labels: {} } }),
    ),
  },
  {
    name: 'index not updated',
    family: 'stale cache',
    text: 'a service that names another Secret now is found by the one that it named when it came',
    plan: 'service / it takes its variables of another Secret / restarts seed=1',
    plant: replaced(
      indexes,
      'makeIndexes',
      (original) =>
        <O extends KubeObject>(declared: readonly Index<O>[]) =>
          original(declared.map(ofItsFirstVersion)),
    ),
  },
  {
    name: 'memo outlives what it read',
    family: 'stale cache',
    text: 'an answer is given again although what it was derived from has changed',
    plan: 'service / the project is never ready / hand does=the_project_is_ready in=Provisioning',
    plant: replaced(tracked, 'tracked', (original) => (reader) => ({ ...original(reader), holds: () => true })),
  },
];
