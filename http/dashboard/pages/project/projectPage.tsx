import { useEffect, useRef } from 'preact/hooks';
import type { Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ofPlace, resourceLists, useProjects } from '../../kindPages/lists.ts';
import { readsOnly } from '../../components/checkNow.ts';
import { Command } from '../../components/copy.tsx';
import { Empty } from '../../components/empty.tsx';
import { Frame } from '../../components/frame.tsx';
import { Gone } from '../../components/gone.tsx';
import { lazyPart } from '../../components/lazy.tsx';
import { Failed, Note } from '../../components/note.tsx';
import { ResourceList } from '../../components/resourceList.tsx';
import { go } from '../../router.ts';
import { addressOf, type Place } from '../../routes.ts';
import { useEnvironmentCounts } from '../../store/counts.ts';
import { pagesIn } from '../../store/list.ts';
import { useLongLists, untilMore } from '../../store/longList.ts';
import { isWhole } from '../../store/pages.ts';
import { mayAct } from '../../store/session.ts';
import { textsIn } from '../../model/details.ts';
import { createHint } from '../../model/newService.ts';
import { environmentsOf, projectWord, statusCommand } from '../../model/project.ts';
import { ProjectState } from './projectState.tsx';
import { noServiceText } from './text.ts';

/** The height of the bar of changes. */
const barHeight = 56;
const DeployAll = lazyPart(async () => (await import('./deployAll.tsx')).DeployAll, barHeight);

/** What runs in one environment of a project. */
export function ProjectPage({ project, environment }: Place) {
  const projects = useProjects();
  const known = projects.value?.items.find(({ name }) => name === project);
  const [first] = known ? environmentsOf(known) : [];
  useEffect(() => {
    if (environment === '' && first !== undefined) go(addressOf.project({ project, environment: first }), 'replace');
  }, [environment, first]);
  const place = { project, environment };
  const isMissing = projects.value !== null && !known;
  const isHere = known !== undefined && environmentsOf(known).includes(environment);
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
        {known && environment !== '' && !isHere && <NoEnvironment project={known} environment={environment} />}
        {known && <ProjectState project={known} environment={environment} />}
        <Failed failed={projects.failed} readAt={projects.readAt} retry={projects.reload} />
        {!isMissing && <Resources place={place} />}
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

/** What stands in an environment, once the address names one. */
const Resources = ({ place }: { readonly place: Place }) =>
  place.environment === '' ? null : <ResourcesIn key={place.environment} place={place} />;

function ResourcesIn({ place }: { readonly place: Place }) {
  const of = resourceLists.map((one) => ofPlace(one, place));
  const list = useLongLists(of.map(pagesIn));
  const waiting = useWaiting(place);
  // Once there, it stays for what it tells of a deploy.
  const hasWaited = useRef(false);
  hasWaited.current ||= waiting > 0;
  return (
    <>
      {hasWaited.current && <DeployAll place={place} waiting={waiting} onDone={list.reload} />}
      <Loaded of={untilMore(list)} height={360}>
        {(value) => (
          <Card label="Resources">
            {value.items.length === 0 && isWhole(value) ? (
              <NoResource {...place} />
            ) : (
              <>
                <ResourceList what="resource" list={list} of={of} place={place} />
                <div class="card-body">
                  <Command what="the command that shows its services" text={statusCommand(place)} />
                </div>
              </>
            )}
          </Card>
        )}
      </Loaded>
    </>
  );
}

/** How many resources of an environment wait for a deploy, as the server counts. */
function useWaiting({ project, environment }: Place): number {
  const counted = useEnvironmentCounts(project).value?.items ?? [];
  return counted.find((one) => one.environment === environment)?.waiting ?? 0;
}

const NoResource = (place: Place) => (
  <Empty
    title={`No service in ${place.environment} yet`}
    text={noServiceText}
    {...(mayAct() ? { command: createHint(place) } : {})}
  >
    {mayAct() && (
      <a class="button" href={addressOf.newService(place)}>
        Create service
      </a>
    )}
  </Empty>
);
