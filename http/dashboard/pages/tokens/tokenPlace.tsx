import { useSignal } from '@preact/signals';
import type { Summary } from '../../../api.ts';
import { Loaded } from '../../components/loaded.tsx';
import { useProjects } from '../../kindPages/lists.ts';
import { Note } from '../../components/note.tsx';
import { Select } from '../../components/select.tsx';
import { environmentsOf } from '../../model/project.ts';

/** The environment that a project token is for: one of those that there are. */
export function TokenPlace() {
  const loaded = useProjects();
  return (
    <Loaded of={loaded} height={56} empty={<Note tone="idle">No project yet.</Note>}>
      {({ items }) => <PlaceIn items={items} />}
    </Loaded>
  );
}

function PlaceIn({ items }: { readonly items: readonly Summary[] }) {
  const chosen = useSignal({ project: '', environment: '' });
  const projects = items
    .map((project) => ({ project, environments: environmentsOf(project) }))
    .toSorted((a, b) => (a.project.displayName < b.project.displayName ? -1 : 1));
  const [first] = projects;
  if (!first) return null;
  const { project, environments } = projects.find((one) => one.project.name === chosen.value.project) ?? first;
  const environment = environments.find((name) => name === chosen.value.environment) ?? environments[0] ?? '';
  return (
    <div class="pair">
      <Select
        look="field"
        name="project"
        label="Project"
        value={project.name}
        options={projects.map(({ project: { name, displayName } }) => ({
          value: name,
          label: displayName === name ? name : `${displayName} (${name})`,
        }))}
        onChoose={(name) => (chosen.value = { project: name, environment: '' })}
      />
      <Select
        look="field"
        name="environment"
        label="Environment"
        value={environment}
        options={environments}
        onChoose={(name) => (chosen.value = { project: project.name, environment: name })}
      />
    </div>
  );
}
