import * as ownedObject from '../../../rules/owned/ownedObject.ts';
import * as empty from '../../../rules/owned/withoutEmpty.ts';
import * as state from '../../../runtime/owned/state.ts';
import * as typeMeta from '../../../runtime/services/kube/typeMeta.ts';
import { both, type Bug, replaced } from './bug.ts';

const withoutKind = replaced(typeMeta, 'withType', () => (_, object) => object);

/** Bugs of what Core keeps in the cluster beside other controllers, each with the plan that shows it. */
export const ownedBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'kind not filled in',
    family: 'stale cache',
    text: 'what a list shows of built-in kinds stays without its kind',
    plan: 'logicalDatabase / own / restarts seed=1',
    plant: withoutKind,
  },
  {
    name: 'kind not filled in, and no matter for surplus',
    family: 'ownership',
    text: 'what a list shows without its kind is deleted as surplus',
    plan: 'database / Postgres is deployed / restarts seed=1',
    plant: both(
      withoutKind,
      replaced(state, 'isOfResource', () => () => true),
    ),
  },
  {
    name: 'empty map applied',
    family: 'ownership',
    text: 'empty lists and maps are applied to what other controllers act on',
    plan: 'database / Postgres is deployed',
    plant: replaced(empty, 'withoutEmpty', () => (value) => value),
  },
  {
    name: 'kept value not sent',
    family: 'ownership',
    text: 'a fixed field that is wanted no more is left out of what is applied, and so removed',
    plan: 'databaseBackup / Postgres is restored and then changed',
    plant: replaced(ownedObject, 'withStored', () => (applied) => applied),
  },
];
