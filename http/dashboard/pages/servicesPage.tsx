import { useCallback } from 'preact/hooks';
import { Frame } from '../parts/frame.tsx';
import { Failed, Skeleton } from '../parts/note.tsx';
import { ServiceList } from '../parts/serviceList.tsx';
import { addressOf } from '../routes.ts';
import { useProjects, useServices } from '../kinds/service/lists.ts';
import { projectWord } from '../words/project.ts';

/** Every service of every project. */
export function ServicesPage() {
  const { value, failed, readAt, reload } = useServices();
  const projects = useProjects().value?.items;
  const wordOf = useCallback((name: string) => projectWord(name, projects), [projects]);
  return (
    <Frame title="Services">
      <div class="stack">
        <div>
          <h1>Services</h1>
          <p class="muted">Every service of every project.</p>
        </div>
        <Failed failed={failed} readAt={readAt} retry={reload} />
        {value === null && failed === null && <Skeleton height={360} />}
        {value?.items.length === 0 && <NoServices />}
        {value && value.items.length > 0 && (
          <section class="card" aria-label="Services">
            <ServiceList services={value.items} projectWord={wordOf} />
          </section>
        )}
      </div>
    </Frame>
  );
}

const NoServices = () => (
  <section class="card empty">
    <h2>No service yet</h2>
    <p>A service runs an image, a repository or a function, in an environment of a project.</p>
    <a class="button button-main" href={addressOf.home()}>
      Deploy your first service
    </a>
  </section>
);
