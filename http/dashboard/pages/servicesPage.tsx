import { FilterField } from '../parts/filter/filterField.tsx';
import { Frame } from '../parts/frame.tsx';
import { Failed, Skeleton } from '../parts/note.tsx';
import { ServiceTable } from '../parts/serviceTable.tsx';
import { address } from '../router.ts';
import { addressOf } from '../routes.ts';
import { useProjects, useServices } from '../kinds/service/lists.ts';
import { matching } from '../words/matching.ts';
import { projectWord } from '../words/project.ts';

/** Every service of every project. */
export function ServicesPage() {
  const { value, failed, readAt, reload } = useServices();
  const projects = useProjects().value?.items;
  const text = new URLSearchParams(address.value.search).get('q') ?? '';
  const wordOf = (name: string) => projectWord(name, projects);
  const shown = matching(value?.items ?? [], text, wordOf);
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
            <FilterField text={text} shown={shown.length} total={value.items.length} />
            <div class="scroll-x">
              <ServiceTable services={shown} projectWord={wordOf} />
            </div>
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
