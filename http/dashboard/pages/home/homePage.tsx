import { Frame } from '../../parts/frame.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { useProjects, useResources, useServices } from '../../kinds/lists.ts';
import { mayAct } from '../../store/session.ts';
import { AttentionList } from './attentionList.tsx';
import { FirstService } from './firstService.tsx';
import { ProjectsGrid } from './projectsGrid.tsx';
import { RecentMoves } from './recentMoves.tsx';
import { type First, useFirst } from './first.ts';

/** A new installation leads to its first service; later ones show what needs attention, projects and moves. */
export function HomePage() {
  const services = useServices();
  const projects = useProjects();
  const first = useFirst(services.value?.items ?? null);
  return (
    <Frame title="Home">
      <div class="stack">
        <h1>Home</h1>
        {!mayAct() && <p class="muted">Read-only access: ask an admin to deploy or change.</p>}
        <Failed failed={services.failed} readAt={services.readAt} retry={services.reload} />
        <Failed failed={projects.failed} readAt={projects.readAt} retry={projects.reload} />
        {services.value === null && services.failed === null && <Skeleton height={420} />}
        {services.value && <Known first={first} projects={projects} />}
      </div>
    </Frame>
  );
}

interface KnownProps {
  readonly first: First;
  readonly projects: ReturnType<typeof useProjects>;
}

function Known({ first, projects }: KnownProps) {
  const known = projects.value?.items ?? [];
  const resources = useResources();
  return (
    <>
      {first.isShown && mayAct() && projects.value && <FirstService projects={known} first={first} />}
      <AttentionList isAlways={resources.length > 0} resources={resources} projects={known} />
      {projects.value && <ProjectsGrid projects={known} resources={resources} onMade={projects.reload} />}
      {resources.length > 0 && <RecentMoves resources={resources} />}
    </>
  );
}
