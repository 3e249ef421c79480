import { useProjects } from '../../kindPages/lists.ts';
import { withParam } from '../../components/filter/query.ts';
import { lazyPart } from '../../components/lazy.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Select } from '../../components/select.tsx';
import { address, go } from '../../router.ts';
import type { Summary } from '../../../api.ts';
import { HaReadiness } from './haReadiness.tsx';
import { pathTo } from '../../api.ts';
import { noProjectText } from './text.ts';

const Metrics = lazyPart(async () => (await import('../../components/usage/usageCharts.tsx')).UsageCharts);

/** Settings, Usage: what a project uses, and whether the cluster can keep a database available. */
export function UsagePage() {
  const loaded = useProjects();
  return (
    <>
      <div class="narrow">
        <HaReadiness />
      </div>
      <h2>What a project uses</h2>
      <Loaded of={loaded} height={480}>
        {(value) => <OfProject projects={value.items} />}
      </Loaded>
    </>
  );
}

/** The project that the address names, or the first one. */
function OfProject({ projects }: { readonly projects: readonly Summary[] }) {
  const asked = new URLSearchParams(address.value.search).get('project');
  const project = projects.find(({ name }) => name === asked) ?? projects[0];
  if (project === undefined) return <Empty title="No project yet" text={noProjectText} />;
  return (
    <>
      <Select
        label="Project"
        value={project.name}
        options={projects.map(({ name, displayName }) => ({ value: name, label: displayName }))}
        onChoose={(name) => go(withParam(address.peek(), 'project', name), 'replace')}
      />
      <Metrics key={project.name} path={pathTo('GET /projects/{project}/metrics', { project: project.name })} />
    </>
  );
}
