import { objectStores } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { DataPage } from './dataPage.tsx';
import { NewStoreServer } from './newStoreServer.tsx';

const kinds = [objectStores];

/** Every bucket of every project, and the servers that buckets are on. */
export const BucketsPage = () => (
  <DataPage
    title="Buckets"
    help="Buckets of every project, each with a user of its own, and the servers of the cluster that they are on."
    tab="buckets"
    of={objectStores}
    empty={
      <Empty
        title="No bucket yet"
        text="A bucket belongs to an environment of a project: open one and press Add resource."
      >
        <a class="button" href={addressOf.home()}>
          Open the projects
        </a>
      </Empty>
    }
    table={(list, wordOf) => <ResourceList what="bucket" list={list} of={kinds} projectWord={wordOf} />}
  >
    {mayAct() && <NewStoreServer />}
  </DataPage>
);
