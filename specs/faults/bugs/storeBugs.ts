import * as grant from '../../../runtime/controllers/cloud/grant.ts';
import * as release from '../../../runtime/controllers/objectStore/release.ts';
import * as ownedObject from '../../../rules/owned/ownedObject.ts';
import * as names from '../../../rules/objectStore/names.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of object stores, each with the plan that shows it. */
export const storeBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'server goes with its buckets',
    family: 'wrong rule',
    text: 'a deleted server does not wait for the buckets on it',
    plan: 'objectStore / a bucket on a server that is deleted first',
    plant: replaced(release, 'bucketsOn', () => () => []),
  },
  {
    name: 'own bucket left',
    family: 'wrong rule',
    text: 'a bucket that Core named is taken for one of somebody else, and stays',
    plan: 'objectStore / a bucket is deleted with what is in it',
    plant: replaced(names, 'hasOwnBucket', () => () => false),
  },
  {
    name: 'grant never stands',
    family: 'wrong rule',
    text: 'the key in the Secret is never taken for the one that was issued',
    plan: 'objectStore / a bucket is made',
    plant: replaced(grant, 'standingGrant', () => () => null),
  },
  {
    name: 'what its owner controls stays',
    family: 'recovery',
    text: 'the Deployment of a server is left to the collector, which waits for the owner',
    plan: 'objectStore / a server runs, and goes',
    plant: replaced(
      ownedObject,
      'isControlled',
      () =>
        ({ metadata }) =>
          metadata.ownerReferences?.some(({ controller }) => controller === true) === true,
    ),
  },
];
