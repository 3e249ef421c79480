import { databases } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { DataPage } from './dataPage.tsx';

const kinds = [databases];

/** Every database of every project, and the shared servers. */
export const DatabasesPage = () => (
  <DataPage
    title="Databases"
    help="Every database of every project, and the shared servers of the cluster."
    tab="databases"
    of={databases}
    empty={
      <Empty
        title="No database yet"
        text="A database belongs to an environment of a project: open one and press Add resource."
      >
        <a class="button" href={addressOf.home()}>
          Open the projects
        </a>
      </Empty>
    }
    table={(list, wordOf) => <ResourceList what="database" list={list} of={kinds} projectWord={wordOf} />}
  />
);
