import { logicalDatabases } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { DataPage } from './dataPage.tsx';

const kinds = [logicalDatabases];

/** Every logical database of every project. */
export const LogicalDatabasesPage = () => (
  <DataPage
    title="Logical databases"
    help="Databases on servers that run already, each with a connection of its own."
    tab="logicalDatabases"
    of={logicalDatabases}
    empty={
      <Empty
        title="No logical database yet"
        text="Created on a Postgres or MySQL server of its environment, or on a shared server."
      >
        <a class="button" href={addressOf.databases()}>
          Open the servers
        </a>
      </Empty>
    }
    table={(list, wordOf) => <ResourceList what="logical database" list={list} of={kinds} projectWord={wordOf} />}
  />
);
