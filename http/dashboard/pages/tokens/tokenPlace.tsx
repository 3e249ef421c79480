import { useSignal } from '@preact/signals';
import { useProjects } from '../../kindPages/lists.ts';
import { Failed, Note, Skeleton } from '../../components/note.tsx';
import { Select } from '../../components/select.tsx';
import { environmentsOf } from '../../model/project.ts';

/** The environment that a project token is for: one of those that there are. */
export function TokenPlace() {
  const { value, failed, readAt, reload } = useProjects();
  const chosen = useSignal({ project: '', environment: '' });
  if (value === null)
    return failed ? <Failed failed={failed} readAt={readAt} retry={reload} /> : <Skeleton height={56} />;
  const projects = value.items
    .map((project) => ({ project, environments: environmentsOf(project) }))
    .toSorted((a, b) => (a.project.displayName < b.project.displayName ? -1 : 1));
  const [first] = projects;
  if (!first) return <Note tone="idle">There is no project yet.</Note>;
  const { project, environments } = projects.find((one) => one.project.name === chosen.value.project) ?? first;
  const environment = environments.find((name) => name === chosen.value.environment) ?? environments[0] ?? '';
  return (
    <div class="pair">
      <Select
        look="field"
        name="project"
        word="Project"
        value={project.name}
        options={projects.map(({ project: { name, displayName } }) => ({
          value: name,
          word: displayName === name ? name : `${displayName} (${name})`,
        }))}
        onChoose={(name) => (chosen.value = { project: name, environment: '' })}
      />
      <Select
        look="field"
        name="environment"
        word="Environment"
        value={environment}
        options={environments}
        onChoose={(name) => (chosen.value = { project: project.name, environment: name })}
      />
    </div>
  );
}
