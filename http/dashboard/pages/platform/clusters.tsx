import type { Read, Summary } from '../../../api.ts';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { useProjects, useServices } from '../../kindPages/lists.ts';
import { Fact } from '../../components/fact.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { capital } from '../../model/capital.ts';
import { detailOf, textsIn } from '../../model/details.ts';
import { clusterBody, clusterFields, clusterValues, issuerWord } from './model.ts';
import { restartElsewhere } from '../../model/restart.ts';
import { PlatformForm } from './platformForm.tsx';

/** The clusters that projects run on. */
export function Clusters() {
  const loaded = useLoaded(pathTo('GET /clusters', {}), ofKinds('CoreCluster'));
  const { reload } = loaded;
  return (
    <>
      <Loaded of={loaded} height={240}>
        {(value) => (
          <>
            {value.items.map((cluster) => (
              <Cluster key={cluster.resource.name} cluster={cluster} onSaved={reload} />
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Whether a project runs in the default region of a cluster. */
const isPlacedBy = (cluster: string) => (project: Summary) =>
  detailOf(project, 'cluster') === cluster && detailOf(project, 'region') === '';

function Cluster({ cluster, onSaved }: { readonly cluster: Read; readonly onSaved: () => void }) {
  const { resource, status } = cluster;
  const publicIPs = textsIn(status['publicIPs']);
  const projects =
    useProjects()
      .value?.items.filter(isPlacedBy(resource.name))
      .map(({ name }) => name) ?? [];
  const services = useServices().value?.items.filter(({ project }) => projects.includes(project)) ?? [];
  return (
    <div class="stack narrow">
      <Card
        title={resource.name}
        label={`Cluster ${resource.name}`}
        actions={<StateChip state={resource.state} shown={capital(resource.state)} />}
      >
        <dl class="facts facts-panel">
          <Fact name="Nodes">{resource.message}</Fact>
          <Fact name="Public IP">
            <span class="mono">{publicIPs.length === 0 ? 'none' : publicIPs.join(', ')}</span>
          </Fact>
          <Fact name="Certificates">{issuerWord(cluster)}</Fact>
        </dl>
      </Card>
      <PlatformForm
        title={`Settings of ${resource.name}`}
        help="Applies at once."
        fields={clusterFields}
        values={clusterValues(cluster)}
        question={(dirty) => (dirty.includes('defaultRegion') ? restartElsewhere(services) : null)}
        save={(dirty, values) =>
          write('PATCH /clusters/{cluster}', { cluster: resource.name }, clusterBody(dirty, values))
        }
        onSaved={onSaved}
      />
    </div>
  );
}
