import { objectStores } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { DataPage } from './dataPage.tsx';
import { NewStoreServer } from './newStoreServer.tsx';
import { bucketsHelp, noBucketText } from './text.ts';

const kinds = [objectStores];

/** Every bucket of every project, and the servers that buckets are on. */
export const BucketsPage = () => (
  <DataPage
    title="Buckets"
    help={bucketsHelp}
    tab="buckets"
    of={objectStores}
    empty={
      <Empty title="No bucket yet" text={noBucketText}>
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
