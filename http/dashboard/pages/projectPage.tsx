import { useEffect, useMemo } from 'preact/hooks';
import type { Summary } from '../../api.ts';
import { useDatabases, useLogicalDatabases, useObjectStores, useProjects, useServices } from '../kinds/lists.ts';
import { readsOnly } from '../parts/ask.ts';
import { Command } from '../parts/copy.tsx';
import { Empty } from '../parts/empty.tsx';
import { Frame } from '../parts/frame.tsx';
import { Gone } from '../parts/gone.tsx';
import { Failed, Note, Skeleton } from '../parts/note.tsx';
import { ResourceList } from '../parts/resourceList.tsx';
import { go } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import { mayAct } from '../store/session.ts';
import { textsIn } from '../words/details.ts';
import { createHint } from '../words/newService.ts';
import { environmentsOf, projectWord, statusCommand, waits } from '../words/project.ts';
import { DeployAll } from './project/deployAll.tsx';
import { ProjectState } from './project/projectState.tsx';

/** What runs in one environment of a project. */
export function ProjectPage({ project, environment }: Place) {
  const projects = useProjects();
  const found = projects.value?.items.find(({ name }) => name === project);
  const [first] = found ? environmentsOf(found) : [];
  useEffect(() => {
    if (environment === '' && first !== undefined) go(addressOf.project({ project, environment: first }), 'replace');
  }, [environment, first]);
  const place = { project, environment };
  const isMissing = projects.value !== null && !found;
  const isHere = found !== undefined && environmentsOf(found).includes(environment);
  return (
    <Frame title={`${projectWord(project, projects.value?.items)} ${environment}`} place={place}>
      <div class="stack">
        <div class="page-head">
          <h1>
            {projectWord(project, projects.value?.items)} / {environment}
          </h1>
          {isHere && <Links place={place} />}
        </div>
        {!mayAct() && <p class="muted">{readsOnly}</p>}
        {isMissing && (
          <Gone
            machine="projectReady"
            id={`coreprojects:${project}`}
            what="project"
            name={project}
            error={`Project "${project}" was not found`}
          />
        )}
        {found && environment !== '' && !isHere && <NoEnvironment project={found} environment={environment} />}
        {found && <ProjectState project={found} environment={environment} />}
        <Failed failed={projects.failed} readAt={projects.readAt} retry={projects.reload} />
        {!isMissing && <Resources project={project} environment={environment} />}
      </div>
    </Frame>
  );
}

const Links = ({ place }: { readonly place: Place }) => (
  <div class="row">
    <a class="button" href={addressOf.sharedVariables(place)}>
      Variables
    </a>
    {mayAct() && (
      <>
        <a class="button" href={addressOf.projectSettings(place.project, 'environments')}>
          New environment
        </a>
        <a class="button" href={addressOf.addResource(place)}>
          Add resource
        </a>
        <a class="button button-main" href={addressOf.newService(place)}>
          Create service
        </a>
      </>
    )}
  </div>
);

const NoEnvironment = ({ project, environment }: { readonly project: Summary; readonly environment: string }) => (
  <Note tone="idle" sign="slash">
    Project "{project.displayName}" has no {environment} environment.{' '}
    {environmentsOf(project)
      .filter((name) => !textsIn(project.details['deleting']).includes(name))
      .map((name) => (
        <a key={name} href={addressOf.project({ project: project.name, environment: name })}>
          Open {name}{' '}
        </a>
      ))}
  </Note>
);

function Resources({ project, environment }: Place) {
  const services = useServices();
  const databases = useDatabases();
  const logical = useLogicalDatabases();
  const buckets = useObjectStores();
  const lists = [services, databases, logical, buckets];
  const values = lists.map(({ value }) => value);
  const here = useMemo(
    () =>
      values
        .flatMap((value) => value?.items ?? [])
        .filter((one) => one.project === project && one.environment === environment),
    [...values, project, environment],
  );
  const reload = () => lists.forEach((list) => list.reload());
  return (
    <>
      {lists.map((list, index) => (
        <Failed key={index} failed={list.failed} readAt={list.readAt} retry={list.reload} />
      ))}
      {lists.some(({ value, failed }) => value === null && failed === null) && <Skeleton height={360} />}
      <DeployAll place={{ project, environment }} waiting={here.filter(waits)} onDone={reload} />
      {lists.every(({ value, failed }) => value !== null || failed !== null) && (
        <section class="card" aria-label="Resources">
          {here.length === 0 ? (
            <NoResource project={project} environment={environment} />
          ) : (
            <>
              <ResourceList what="resource" resources={here} kinds={kinds} />
              <div class="card-body">
                <Command what="the command that shows its services" text={statusCommand({ project, environment })} />
              </div>
            </>
          )}
        </section>
      )}
    </>
  );
}

const kinds = ['CoreApp', 'CoreDatabase', 'CoreLogicalDatabase', 'CoreObjectStore'];

const NoResource = (place: Place) => (
  <Empty
    title={`No service in ${place.environment} yet`}
    text="A service runs an image, a repository or a function; databases stand beside it."
    {...(mayAct() ? { command: createHint(place) } : {})}
  >
    {mayAct() && (
      <a class="button" href={addressOf.newService(place)}>
        Create service
      </a>
    )}
  </Empty>
);
