import { useCallback } from 'preact/hooks';
import { useDatabases, useProjects } from '../../kinds/lists.ts';
import { DataTabs } from '../../parts/dataTabs.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { ResourceList } from '../../parts/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { projectWord } from '../../words/project.ts';

const kinds = ['CoreDatabase'];

/** Every database of every project, and the shared servers. */
export function DatabasesPage() {
  const { value, failed, readAt, reload } = useDatabases();
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title="Databases">
      <div class="stack">
        <div>
          <h1>Databases</h1>
          <p class="muted">Every database of every project, and the shared servers of the cluster.</p>
        </div>
        <DataTabs current="databases" />
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value && (
          <section class="card" aria-label="Databases">
            {value.items.length === 0 ? (
              <Empty
                title="No database yet"
                text="A database belongs to an environment of a project: open one and press Add resource."
              >
                <a class="button" href={addressOf.home()}>
                  Open the projects
                </a>
              </Empty>
            ) : (
              <ResourceList what="database" resources={value.items} kinds={kinds} projectWord={wordOf} />
            )}
          </section>
        )}
      </div>
    </Frame>
  );
}
