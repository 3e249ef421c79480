import { useCallback } from 'preact/hooks';
import { useObjectStores, useProjects } from '../../kinds/lists.ts';
import { DataTabs } from '../../parts/dataTabs.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { ResourceList } from '../../parts/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { projectWord } from '../../words/project.ts';
import { NewStoreServer } from './newStoreServer.tsx';

const kinds = ['CoreObjectStore'];

/** Every bucket of every project, and the servers that buckets are on. */
export function BucketsPage() {
  const { value, failed, readAt, reload } = useObjectStores();
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title="Buckets">
      <div class="stack">
        <div>
          <h1>Buckets</h1>
          <p class="muted">
            Buckets of every project, each with a user of its own, and the servers of the cluster that they are on.
          </p>
        </div>
        <DataTabs current="buckets" />
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value && (
          <section class="card" aria-label="Buckets">
            {value.items.length === 0 ? (
              <Empty
                title="No bucket yet"
                text="A bucket belongs to an environment of a project: open one and press Add resource."
              >
                <a class="button" href={addressOf.home()}>
                  Open the projects
                </a>
              </Empty>
            ) : (
              <ResourceList what="bucket" resources={value.items} kinds={kinds} projectWord={wordOf} />
            )}
          </section>
        )}
        {value && mayAct() && <NewStoreServer />}
      </div>
    </Frame>
  );
}
