import { useSignal } from '@preact/signals';
import type { Cause, EnvironmentCounts as Counted, Summary } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Counts } from '../../components/counts.tsx';
import { toFirstRow } from '../../components/filter/toFirstRow.ts';
import { addressOf } from '../../routes.ts';
import { mayAct } from '../../store/session.ts';
import { environmentsShown, isNamesake, projectsMatching, together } from './model.ts';
import { capital } from '../../model/capital.ts';
import { plural } from '../../model/plural.ts';
import { type EnvironmentCounts, type ProjectCounts, projectCounts } from '../../model/project.ts';
import { NewProject } from './newProject.tsx';

interface ProjectsGridProps {
  readonly projects: readonly Summary[];
  /** What the server counts; null until it is read. */
  readonly counted: readonly Counted[] | null;
  readonly onMade: () => void;
}

/** With fewer projects a filter is in the way. */
const filteredFrom = 6;

/** Every project with what its environments hold. */
export function ProjectsGrid({ projects, counted, onMade }: ProjectsGridProps) {
  const filter = useSignal('');
  const all = projectCounts(projects, counted ?? []);
  const shown = projectsMatching(all, filter.value);
  return (
    <Card
      title="Projects"
      actions={
        <>
          {all.length >= filteredFrom && (
            <input
              class="input input-small"
              type="search"
              placeholder="Filter"
              aria-label="Filter projects"
              onInput={(event) => (filter.value = event.currentTarget.value)}
              onKeyDown={toFirstRow}
            />
          )}
          {mayAct() && <NewProject onMade={onMade} />}
        </>
      }
    >
      {all.length === 0 && <p class="card-body muted">No project yet.</p>}
      {all.length > 0 && shown.length === 0 && <p class="card-body muted">No project matches.</p>}
      <ul>
        {shown.map((project) => (
          <Project
            key={project.name}
            project={project}
            hasNamesake={isNamesake(project, all)}
            isCounted={counted !== null}
            cause={projects.find(({ name }) => name === project.name)?.cause ?? null}
          />
        ))}
      </ul>
    </Card>
  );
}

interface ProjectProps {
  readonly project: ProjectCounts;
  readonly hasNamesake: boolean;
  readonly isCounted: boolean;
  /** Why the project is not whole; null where it is. */
  readonly cause: Cause | null;
}

const Project = ({ project, hasNamesake, isCounted, cause }: ProjectProps) => {
  const { name, displayName } = project;
  const { own, pullRequests } = environmentsShown(project);
  const [first] = pullRequests;
  return (
    <li class="project">
      <span>
        <a class="strong" href={addressOf.project({ project: name })}>
          {displayName}
        </a>
        {hasNamesake && <span class="muted small mono"> {name}</span>}
        {cause && <span class="small cause-about">{capital(cause.message)}</span>}
      </span>
      <span class="project-environments">
        {own.map((counts) => (
          <Environment
            key={counts.name}
            project={name}
            counts={counts}
            environment={counts.name}
            isCounted={isCounted}
          />
        ))}
        {first && (
          <Environment
            project={name}
            counts={together(plural(pullRequests.length, 'pull request'), pullRequests)}
            environment={first.name}
            isCounted={isCounted}
          />
        )}
      </span>
    </li>
  );
};

interface EnvironmentProps {
  readonly project: string;
  readonly environment: string;
  readonly counts: EnvironmentCounts;
  readonly isCounted: boolean;
}

const Environment = ({ project, environment, counts, isCounted }: EnvironmentProps) => (
  <a class="count-chip" href={addressOf.project({ project, environment })}>
    {counts.name}
    {isCounted && <span class="muted">{plural(counts.total, 'resource')}</span>}
    {isCounted && <Counts counts={counts} />}
  </a>
);
