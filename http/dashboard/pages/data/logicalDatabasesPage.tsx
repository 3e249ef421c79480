import { useCallback } from 'preact/hooks';
import { useLogicalDatabases, useProjects } from '../../kinds/lists.ts';
import { DataTabs } from '../../parts/dataTabs.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Frame } from '../../parts/frame.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { ResourceList } from '../../parts/resourceList.tsx';
import { addressOf } from '../../routes.ts';
import { projectWord } from '../../words/project.ts';

const kinds = ['CoreLogicalDatabase'];

/** Every logical database of every project. */
export function LogicalDatabasesPage() {
  const { value, failed, readAt, reload } = useLogicalDatabases();
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title="Logical databases">
      <div class="stack">
        <div>
          <h1>Logical databases</h1>
          <p class="muted">Databases on servers that run already, each with a connection of its own.</p>
        </div>
        <DataTabs current="logicalDatabases" />
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value && (
          <section class="card" aria-label="Logical databases">
            {value.items.length === 0 ? (
              <Empty
                title="No logical database yet"
                text="It is made on a Postgres or MySQL server of its environment, or on a shared server."
              >
                <a class="button" href={addressOf.databases()}>
                  Open the servers
                </a>
              </Empty>
            ) : (
              <ResourceList what="logical database" resources={value.items} kinds={kinds} projectWord={wordOf} />
            )}
          </section>
        )}
      </div>
    </Frame>
  );
}
