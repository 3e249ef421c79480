import { api, pathTo } from '../../api.ts';
import { lazyPage } from '../../components/lazyPage.tsx';
import { NamedResource } from '../data/namedResource.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { ofDatabase } from './reading.ts';

const DatabasePage = lazyPage(async () => (await import('./databasePage.tsx')).DatabasePage);

/** A shared server has no place but its name; every other database has a page in its environment. */
export function NamedDatabase({ name, view }: { readonly name: string; readonly view: string }) {
  const { value } = useLoaded(pathTo('GET /databases/{database}', { database: name }), ofDatabase(name));
  if (value?.resource.project === '') return <DatabasePage project="" environment="" name={name} view={view} />;
  return <NamedResource kind="CoreDatabase" name={name} view={view} path={api.database(name)} />;
}
