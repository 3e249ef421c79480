import { databases } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { DataPage } from './dataPage.tsx';
import { databasesHelp, noDatabaseText } from './text.ts';

const kinds = [databases];

/** Every database of every project, and the shared servers. */
export const DatabasesPage = () => (
  <DataPage
    title="Databases"
    help={databasesHelp}
    tab="databases"
    of={databases}
    empty={
      <Empty title="No database yet" text={noDatabaseText}>
        <a class="button" href={addressOf.home()}>
          Open the projects
        </a>
      </Empty>
    }
    table={(list, wordOf) => <ResourceList what="database" list={list} of={kinds} projectWord={wordOf} />}
  />
);
