import { visit } from '../../router.ts';
import { addressOf, type Place } from '../../routes.ts';
import { useProjects } from '../../kindPages/lists.ts';
import { useEnvironmentCounts } from '../../store/counts.ts';
import { projectCounts } from '../../model/project.ts';
import { useInSight } from '../useInSight.ts';
import { Counts } from '../counts.tsx';

/** The bar of a project: the other projects, and a tab for each of its environments. */
export function ProjectBar({ place: { project, environment } }: { readonly place: Place }) {
  const projects = useProjects().value?.items ?? [];
  const counts = useEnvironmentCounts(project).value?.items;
  const here = projects.filter(({ name }) => name === project);
  const [counted] = projectCounts(here, counts ?? []);
  const environments = counted?.environments ?? [];
  // Until the project is read, the address alone tells of an environment.
  const tabs = counted ? environments.map(({ name }) => name) : [environment].filter((name) => name !== '');
  const line = useInSight(tabs.indexOf(environment), tabs.length);
  return (
    <nav class="context" aria-label="Project">
      <div class="context-in">
        <select
          class="select context-project"
          aria-label="Switch project"
          value={project}
          onChange={({ currentTarget }) => {
            const chosen = currentTarget.value;
            // Whoever stays to save something stays in this project too.
            currentTarget.value = project;
            visit(addressOf.project({ project: chosen }));
          }}
        >
          {here.length === 0 && <option value={project}>{project}</option>}
          {projects.map(({ name, displayName }) => (
            <option key={name} value={name}>
              {displayName}
            </option>
          ))}
        </select>
        <div ref={line} class="nav">
          {tabs.map((name) => {
            const shown = environments.find((one) => one.name === name);
            return (
              <a
                key={name}
                href={addressOf.project({ project, environment: name })}
                aria-current={name === environment ? 'true' : undefined}
              >
                {name}
                {shown && counts && <Counts counts={shown} worst />}
              </a>
            );
          })}
        </div>
        <a class="row-end context-settings" href={addressOf.projectSettings(project)}>
          Project settings
        </a>
      </div>
    </nav>
  );
}
