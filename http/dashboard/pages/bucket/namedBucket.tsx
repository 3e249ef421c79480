import { api, pathTo } from '../../api.ts';
import { useLoaded } from '../../store/loaded.ts';
import { lazyPage } from '../../components/lazyPage.tsx';
import { NamedResource } from '../data/namedResource.tsx';
import { ofObjectStore } from './reading.ts';

const BucketPage = lazyPage(async () => (await import('./bucketPage.tsx')).BucketPage);

/** A server of buckets has no place but its name; every bucket has a page in its environment. */
export function NamedBucket({ name, view }: { readonly name: string; readonly view: string }) {
  const { value } = useLoaded(pathTo('GET /object-stores/{store}', { store: name }), ofObjectStore(name));
  if (value?.resource.project === '') return <BucketPage project="" environment="" name={name} view={view} />;
  return <NamedResource kind="CoreObjectStore" name={name} view={view} path={api.objectStore(name)} />;
}
