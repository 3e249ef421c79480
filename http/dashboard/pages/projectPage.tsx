import { useEffect } from 'preact/hooks';
import { Frame } from '../parts/frame.tsx';
import { Failed, Note, Skeleton } from '../parts/note.tsx';
import { ServiceList } from '../parts/serviceList.tsx';
import { readsOnly } from '../parts/ask.ts';
import { go } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import { useProjects, useServices } from '../kinds/service/lists.ts';
import { mayAct } from '../store/session.ts';
import { environmentsOf, projectWord, waits } from '../words/project.ts';
import { DeployAll } from './project/deployAll.tsx';

/** What runs in one environment of a project. */
export function ProjectPage({ project, environment }: Place) {
  const projects = useProjects();
  const found = projects.value?.items.find(({ name }) => name === project);
  const [first] = found ? environmentsOf(found) : [];
  useEffect(() => {
    if (environment === '' && first !== undefined) go(addressOf.project({ project, environment: first }), 'replace');
  }, [environment, first]);
  const isMissing = projects.value !== null && !found;
  return (
    <Frame title={`${projectWord(project, projects.value?.items)} ${environment}`} place={{ project, environment }}>
      <div class="stack">
        <div class="page-head">
          <div>
            <h1>
              {projectWord(project, projects.value?.items)} / {environment}
            </h1>
          </div>
          {mayAct() && found && environment !== '' && (
            <a class="button button-main" href={addressOf.newService({ project, environment })}>
              Create service
            </a>
          )}
        </div>
        {!mayAct() && <p class="muted">{readsOnly}</p>}
        {isMissing && <Note tone="bad">Project "{project}" was not found.</Note>}
        {found && environment !== '' && !environmentsOf(found).includes(environment) && (
          <Note tone="bad">
            Project "{found.displayName}" has no {environment} environment.
          </Note>
        )}
        <Failed failed={projects.failed} readAt={projects.readAt} retry={projects.reload} />
        <Resources project={project} environment={environment} />
      </div>
    </Frame>
  );
}

function Resources({ project, environment }: Place) {
  const { value, failed, readAt, reload } = useServices();
  const here = value?.items.filter((one) => one.project === project && one.environment === environment) ?? [];
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && <Skeleton height={360} />}
      <DeployAll place={{ project, environment }} waiting={here.filter(waits)} onDone={reload} />
      {value && (
        <section class="card" aria-label="Resources">
          {here.length === 0 ? <Empty project={project} environment={environment} /> : <ServiceList services={here} />}
        </section>
      )}
    </>
  );
}

const Empty = (place: Place) => (
  <div class="empty">
    <h2>No service in {place.environment} yet</h2>
    <p>A service runs an image, a repository or a function.</p>
    {mayAct() && (
      <a class="button" href={addressOf.newService(place)}>
        Create service
      </a>
    )}
  </div>
);
