import type { KubeObject } from '../../../crds/kind.ts';
import * as tracked from '../../../runtime/cache/tracked.ts';
import { projects } from '../../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../../runtime/services/cluster/resources.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { type Bug, type Plant, replaced } from './bug.ts';
import { withController } from './decorators.ts';

/** The watches of services read something else of a resource than their passes do. */
const readsOfServices = (of: Resource, reads: (watched: KubeObject) => unknown): Plant =>
  withController('CoreApp', (controller) => ({
    ...controller,
    watches: controller.watches.map((one) => (one.resource === of ? { ...one, reads } : one)),
  }));

/** Bugs of what a change wakes, and of what is kept between passes, each with the plan that shows it. */
export const wakeBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'conditions of the project unread',
    family: 'stale view',
    text: 'a service hears nothing of its project being Ready no more',
    plan: 'service / the project is never ready / hand does=the_project_is_ready in=Provisioning',
    plant: readsOfServices(projects, (project) => ('spec' in project ? project.spec : null)),
  },
  {
    name: 'values of a Secret unread',
    family: 'stale view',
    text: 'a service hears which keys its Secret has, and nothing of their values',
    plan: 'service / made by hand / hand does=another_value in=Ready / restarts seed=1',
    plant: readsOfServices(secrets, (secret) => Object.keys('data' in secret ? Object(secret.data) : {})),
  },
  {
    name: 'memo outlives what it read',
    family: 'stale cache',
    text: 'an answer is given again although what it was derived from has changed',
    plan: 'service / the project is never ready / hand does=the_project_is_ready in=Provisioning',
    plant: replaced(tracked, 'tracked', (original) => (reader) => ({ ...original(reader), holds: () => true })),
  },
];
