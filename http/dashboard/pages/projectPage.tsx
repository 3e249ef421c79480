import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Summary } from '../../api.ts';
import { useProjects, useResourcesOf } from '../kinds/lists.ts';
import { readsOnly } from '../parts/ask.ts';
import { Command } from '../parts/copy.tsx';
import { Empty } from '../parts/empty.tsx';
import { Frame } from '../parts/frame.tsx';
import { Gone } from '../parts/gone.tsx';
import { lazyPart } from '../parts/lazy.tsx';
import { Failed, Note, Skeleton } from '../parts/note.tsx';
import { ResourceList } from '../parts/resourceList.tsx';
import { go } from '../router.ts';
import { addressOf, type Place } from '../routes.ts';
import type { LongList } from '../store/longList.ts';
import { mayAct } from '../store/session.ts';
import { textsIn } from '../words/details.ts';
import { createHint } from '../words/newService.ts';
import { environmentsOf, projectWord, statusCommand, waits } from '../words/project.ts';
import { ProjectState } from './project/projectState.tsx';

/** The height of the bar of changes. */
const barHeight = 56;
const DeployAll = lazyPart(async () => (await import('./project/deployAll.tsx')).DeployAll, barHeight);

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
  const { items, isWhole, lists } = useResourcesOf(project);
  const here = useMemo(() => items.filter((one) => one.environment === environment), [items, environment]);
  const waiting = isWhole ? here.filter(waits) : [];
  // Once there, it stays for what it tells of a deploy.
  const hasWaited = useRef(false);
  hasWaited.current ||= waiting.length > 0;
  const reload = () => lists.forEach((list) => list.reload());
  const isRead = lists.every(
    ({ value, failed }) => failed !== null || (value !== null && (isWhole || here.length > 0)),
  );
  const list: LongList<Summary> = {
    value: { items: here, ...(isWhole ? {} : { continue: '' }) },
    failed: lists.find(({ failed }) => failed !== null)?.failed ?? null,
    readAt: null,
    reload,
    readOn: () => lists.forEach((one) => one.readOn()),
    // Everything is read in the background, for what waits for a deploy is counted.
    want: () => {},
  };
  return (
    <>
      {lists.map((list, index) => (
        <Failed key={index} failed={list.failed} readAt={list.readAt} retry={list.reload} />
      ))}
      {!isRead && <Skeleton height={360} />}
      {hasWaited.current && <DeployAll place={{ project, environment }} waiting={waiting} onDone={reload} />}
      {isRead && (
        <section class="card" aria-label="Resources">
          {here.length === 0 ? (
            <NoResource project={project} environment={environment} />
          ) : (
            <>
              <ResourceList what="resource" list={list} of={null} kinds={kinds} />
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
