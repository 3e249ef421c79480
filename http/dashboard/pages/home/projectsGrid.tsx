import { useSignal } from '@preact/signals';
import type { Created, Summary } from '../../../api.ts';
import { act, api } from '../../api.ts';
import { Counts } from '../../parts/counts.tsx';
import { Note } from '../../parts/note.tsx';
import { go } from '../../router.ts';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { plural } from '../../words/plural.ts';
import { projectCounts } from '../../words/project.ts';

interface ProjectsGridProps {
  readonly projects: readonly Summary[];
  readonly services: readonly Summary[];
  readonly onMade: () => void;
}

/** Every project with what its environments hold. */
export const ProjectsGrid = ({ projects, services, onMade }: ProjectsGridProps) => (
  <section class="card" aria-label="Projects">
    <div class="card-head">
      <h2>Projects</h2>
      {mayAct() && <NewProject onMade={onMade} />}
    </div>
    {projects.length === 0 && <p class="card-body muted">No project yet.</p>}
    <ul>
      {projectCounts(projects, services).map(({ name, displayName, environments }) => (
        <li key={name} class="line">
          <a class="strong" href={addressOf.project({ project: name })}>
            {displayName}
          </a>
          {environments.map((counts) => (
            <a
              key={counts.name}
              class="count-chip"
              href={addressOf.project({ project: name, environment: counts.name })}
            >
              {counts.name}
              <span class="muted">{plural(counts.total, 'service')}</span>
              <Counts counts={counts} />
            </a>
          ))}
        </li>
      ))}
    </ul>
  </section>
);

/** Makes a project with one environment, `production` (UI-001). */
function NewProject({ onMade }: { readonly onMade: () => void }) {
  const busy = useSignal(false);
  const failed = useSignal('');
  const make = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await act<Created>(api.projects);
    busy.value = false;
    failed.value = answer.is === 'ok' ? '' : answer.error;
    onMade();
    if (answer.is !== 'ok') return;
    const { project, environment } = answer.value;
    go(addressOf.project({ project, environment }));
  };
  return (
    <>
      <button type="button" class="button button-small row-end" aria-busy={busy.value} onClick={() => void make()}>
        {busy.value ? 'Creating …' : 'New project'}
      </button>
      {failed.value !== '' && <Note tone="bad">{failed.value}</Note>}
    </>
  );
}
