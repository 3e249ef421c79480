import * as platformDeletion from '../../../runtime/controllers/cluster/observe/platformDeletion.ts';
import * as publishing from '../../../runtime/controllers/platformConfig/observe.ts';
import * as copies from '../../../runtime/controllers/project/lifecycles/pullRequestEnvironment/ensures.ts';
import * as records from '../../../rules/dnsProviderReady/records.ts';
import * as wanted from '../../../rules/dnsProviderReady/wanted.ts';
import * as place from '../../../rules/node/place.ts';
import * as state from '../../../rules/pullRequestEnvironment/state.ts';
import * as waiting from '../../../rules/webhookDelivery/waiting.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of what the platform reaches outside, each with the plan that shows it. */
export const platformBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'records of others taken for own',
    family: 'ownership',
    text: 'the records of somebody else in the zone are taken for those of the platform',
    plan: 'platform / the provider makes the record',
    plant: replaced(
      records,
      'recordChanges',
      (original) => (expected, found, comment) =>
        original(
          expected,
          found.map((one) => ({ ...one, comment })),
          comment,
        ),
    ),
  },
  {
    name: 'tunnel taken for one by hand',
    family: 'wrong rule',
    text: 'the tunnel of the platform is taken for one that somebody made, so no agent runs',
    plan: 'platform / the provider makes a tunnel',
    plant: replaced(publishing, 'isOwnTunnel', () => () => true),
  },
  {
    name: 'no record wanted',
    family: 'wrong rule',
    text: 'no record is wanted of the provider, not even that of the dashboard',
    plan: 'platform / the provider makes the record',
    plant: replaced(wanted, 'recordsWanted', () => () => []),
  },
  {
    name: 'cluster always leaving',
    family: 'wrong rule',
    text: 'the namespace of the platform is always taken to be going, so nothing is installed',
    plan: 'cluster / the add-ons are installed and the one taken away',
    plant: replaced(platformDeletion, 'isPlatformDeleting', () => () => true),
  },
  {
    name: 'server leaves its labels',
    family: 'recovery',
    text: 'a server that is removed leaves its node with labels and reservation',
    plan: 'node / it is removed from the cluster',
    plant: replaced(place, 'releasePatch', () => () => null),
  },
  {
    name: 'late gift kept',
    family: 'un-fenced leader',
    text: 'what a leader that stood still gave a node after its server was removed stays',
    plan: 'node / it is removed from the cluster / standBy / stands at=3 when=before ms=240000',
    plant: replaced(place, 'isGiven', () => () => false),
  },
  {
    name: 'node never found',
    family: 'stale view',
    text: 'the node of a server is not found, so it is installed again and again',
    plan: 'node / its node stands already',
    plant: replaced(place, 'nodeFor', () => () => undefined),
  },
  {
    name: 'environment taken for removed',
    family: 'status before effect',
    text: 'the entry of a pull request goes before its environment does',
    plan: 'pullRequestEnvironment / it opens and closes',
    plant: replaced(copies, 'isRemoved', () => () => true),
  },
  {
    name: 'closing read as open',
    family: 'wrong rule',
    text: 'a pull request that closed reads as open, so its environment stays',
    plan: 'pullRequestEnvironment / it opens and closes',
    plant: replaced(
      state,
      'pullRequestState',
      (original) => (entry) => (entry.closedAt === undefined ? original(entry) : 'Open'),
    ),
  },
  {
    name: 'events dropped',
    family: 'memory instead of state',
    text: 'an event goes before its deliveries have begun',
    plan: 'webhookDelivery / a deploy that succeeds',
    plant: replaced(waiting, 'eventsKept', () => () => []),
  },
];
