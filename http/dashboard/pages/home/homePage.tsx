import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Failed } from '../../components/note.tsx';
import { services, useProjects } from '../../kindPages/lists.ts';
import { useEnvironmentCounts } from '../../store/counts.ts';
import { useRows } from '../../store/list.ts';
import { firstRows } from '../../store/pages.ts';
import { mayAct } from '../../store/session.ts';
import { AttentionList } from './attentionList.tsx';
import { KindsNotice } from './kindsNotice.tsx';
import { FirstService } from './firstService.tsx';
import { ProjectsGrid } from './projectsGrid.tsx';
import { RecentMoves } from './recentMoves.tsx';
import { type First, useFirst } from './first.ts';
import { readOnlyHelp } from './text.ts';

/** A new installation leads to its first service; later ones show what needs attention, projects and moves. */
export function HomePage() {
  const list = useRows(services, firstRows);
  const projects = useProjects();
  const first = useFirst(list.value?.items ?? null);
  return (
    <Frame title="Home">
      <div class="stack">
        <h1>Home</h1>
        <KindsNotice />
        {!mayAct() && <p class="muted">{readOnlyHelp}</p>}
        <Failed failed={projects.failed} readAt={projects.readAt} retry={projects.reload} />
        <Loaded of={list} height={420}>
          {({ items }) => <Known first={first} projects={projects} hasService={items.length > 0} />}
        </Loaded>
      </div>
    </Frame>
  );
}

interface KnownProps {
  readonly first: First;
  readonly projects: ReturnType<typeof useProjects>;
  readonly hasService: boolean;
}

function Known({ first, projects, hasService }: KnownProps) {
  const known = projects.value?.items ?? [];
  const counted = useEnvironmentCounts().value?.items ?? null;
  const hasAny = hasService || (counted ?? []).length > 0;
  return (
    <>
      {first.isShown && mayAct() && projects.value && <FirstService projects={known} first={first} />}
      <AttentionList isAlways={hasAny} projects={known} />
      {projects.value && <ProjectsGrid projects={known} counted={counted} onMade={projects.reload} />}
      {hasAny && <RecentMoves />}
    </>
  );
}
