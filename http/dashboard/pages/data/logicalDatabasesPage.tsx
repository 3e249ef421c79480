import { logicalDatabases } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { DataPage } from './dataPage.tsx';
import { logicalDatabasesHelp, noLogicalDatabaseText } from './text.ts';

const kinds = [logicalDatabases];

/** Every logical database of every project. */
export const LogicalDatabasesPage = () => (
  <DataPage
    title="Logical databases"
    help={logicalDatabasesHelp}
    tab="logicalDatabases"
    of={logicalDatabases}
    empty={
      <Empty title="No logical database yet" text={noLogicalDatabaseText}>
        <a class="button" href={addressOf.databases()}>
          Open the servers
        </a>
      </Empty>
    }
    table={(list, wordOf) => <ResourceList what="logical database" list={list} of={kinds} projectWord={wordOf} />}
  />
);
