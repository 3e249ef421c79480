import { Effect } from 'effect';
import * as grant from '../../../runtime/controllers/cloudAccess/grant.ts';
import * as release from '../../../runtime/controllers/objectStore/ensures/release.ts';
import * as ownedObject from '../../../rules/owned/ownedObject.ts';
import * as ownerReference from '../../../rules/owned/ownerReference.ts';
import * as names from '../../../rules/objectStore/names.ts';
import { dropped, withCloud } from './backupBugs.ts';
import { type Bug, replaced } from './bug.ts';

/** Bugs of object stores and cloud connections, each with the plan that shows it. */
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
    plant: replaced(grant, 'currentGrant', () => () => null),
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
  {
    name: 'contents that stay taken for deleted',
    family: 'swallowed error',
    text: 'a 200 that names keys it did not delete counts as done',
    plan: 'objectStore / the cloud deletes nothing of a bucket for a while',
    unseen: 'the bucket is looked at again, so that it takes more passes, which are slowed, and no other end',
    plant: withCloud((cloud) => ({
      removeVersions: (...given) => Effect.as(cloud.removeVersions(...given), []),
    })),
  },
  {
    name: 'policy of another bucket',
    family: 'wrong rule',
    text: 'the user of a bucket may use another one',
    plan: 'objectStore / a bucket is made',
    plant: withCloud((cloud) => ({
      putUser: (account, { name, policy }) =>
        cloud.putUser(account, { name, policy: policy.replaceAll('core-files', 'core-others') }),
    })),
  },
  {
    name: 'bucket of somebody else emptied',
    family: 'ownership',
    text: 'a bucket that somebody named goes with the object that used it',
    plan: 'objectStore / a bucket of somebody else is used, and stays',
    plant: replaced(names, 'hasOwnBucket', () => () => true),
  },
  {
    name: 'user of a bucket left',
    family: 'wrong rule',
    text: 'the user of a deleted bucket stays, with its key',
    plan: 'objectStore / a bucket is deleted with what is in it',
    plant: withCloud(() => ({ removeUser: () => Effect.void })),
  },
  {
    name: 'second key of a bucket kept',
    family: 'effect twice',
    text: 'a key that no Secret tells of is not deleted',
    plan: 'objectStore / a bucket is made / dies at=9 when=after',
    plant: withCloud(() => ({ removeKey: () => Effect.void })),
  },
  {
    name: 'bucket by name alone',
    family: 'run not compared',
    text: 'two object stores of one name in turn have one bucket',
    plan: 'objectStore / a bucket is made',
    plant: replaced(
      names,
      'bucketOf',
      () =>
        ({ metadata: { name } }, { bucket }) =>
          bucket ?? `core-${name}`,
    ),
  },
  {
    name: 'Retry of a store unheard',
    family: 'wrong rule',
    text: 'an object store that was given up stays so (retry-asked dropped)',
    plan: 'objectStore / it is given up, and tried again',
    plant: dropped('CoreObjectStore', 'objectStore', 'retry-asked'),
  },
  {
    name: 'Secret not owned',
    family: 'ownership',
    text: 'the keys that a request wrote beside a cloud connection stay when it is deleted',
    plan: 'cloudConnection / the connection of a request is deleted by kubectl',
    plant: replaced(ownerReference, 'withOwner', () => () => null),
  },
];
