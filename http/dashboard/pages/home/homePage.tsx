import { Frame } from '../../parts/frame.tsx';
import { readsOnly } from '../../parts/ask.ts';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { useProjects, useServices } from '../../store/lists.ts';
import { mayAct } from '../../store/session.ts';
import { AttentionList } from './attentionList.tsx';
import { FirstService } from './firstService.tsx';
import { ProjectsGrid } from './projectsGrid.tsx';
import { RecentMoves } from './recentMoves.tsx';
import { useFirst } from './first.ts';

/** A new installation leads to its first service; later ones show what needs attention, projects and moves. */
export function HomePage() {
  const services = useServices();
  const projects = useProjects();
  const first = useFirst(services.value?.items ?? null);
  const isRead = services.value !== null;
  return (
    <Frame title="Home">
      <div class="stack">
        <h1>Home</h1>
        {!mayAct() && <p class="muted">{readsOnly} Ask an admin to deploy or change.</p>}
        <Failed failed={services.failed} readAt={services.readAt} retry={services.reload} />
        <Failed failed={projects.failed} readAt={projects.readAt} retry={projects.reload} />
        {!isRead && services.failed === null && <Skeleton height={420} />}
        {isRead && first.isShown && mayAct() && <FirstService projects={projects.value?.items ?? []} first={first} />}
        {isRead && !first.isShown && <AttentionList />}
        {isRead && projects.value && (
          <ProjectsGrid
            projects={projects.value.items}
            services={services.value?.items ?? []}
            onMade={projects.reload}
          />
        )}
        {isRead && !first.isShown && <RecentMoves />}
      </div>
    </Frame>
  );
}
