import type { Bootstrap, Read } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofKinds } from '../../kinds/service/concerns.ts';
import { useLoaded } from '../../store/loaded.ts';
import { servicesUsing } from '../../words/databaseDeletion.ts';
import { bucketsOn, loggingTo, usersOfStore } from '../../words/objectStore.ts';

/** The whole platform is much to read. */
const paceMs = 5_000;
const ofUsers = ofKinds('CoreApp', 'CoreObjectStore');

/** Everything that uses an object store, as far as the reader sees it; null until it is read. */
export function useUsers({ resource }: Read) {
  const { value } = useLoaded<Bootstrap>(api.bootstrap, ofUsers, paceMs);
  if (value === null) return null;
  const { name } = resource;
  const buckets = bucketsOn(name, value.objectStores);
  return {
    buckets,
    lines: usersOfStore({
      services: servicesUsing(resource, value.apps),
      logs: loggingTo(name, value.apps),
      buckets: buckets.map((bucket) => bucket.name),
    }),
  };
}
