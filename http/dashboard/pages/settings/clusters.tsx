import type { Items, Read } from '../../../api.ts';
import { api, change } from '../../api.ts';
import { ofKinds } from '../../kinds/service/concerns.ts';
import { Fact } from '../../parts/fact.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { capital } from '../../words/capital.ts';
import { textsIn } from '../../words/details.ts';
import { clusterBody, clusterFields, clusterValues, issuerWord } from '../../words/platform.ts';
import { PlatformForm } from './platformForm.tsx';

/** The clusters that projects run on. */
export function Clusters() {
  const { value, failed, readAt, reload } = useLoaded<Items<Read>>(api.clusters, ofKinds('CoreCluster'));
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && <Skeleton height={240} />}
      {value?.items.map((cluster) => (
        <Cluster key={cluster.resource.name} cluster={cluster} onSaved={reload} />
      ))}
    </>
  );
}

function Cluster({ cluster, onSaved }: { readonly cluster: Read; readonly onSaved: () => void }) {
  const { resource, status } = cluster;
  const publicIPs = textsIn(status['publicIPs']);
  return (
    <div class="stack narrow">
      <section class="card" aria-label={`Cluster ${resource.name}`}>
        <div class="card-head">
          <h2>{resource.name}</h2>
          <StateChip state={resource.state} shown={capital(resource.state)} />
        </div>
        <dl class="facts facts-panel">
          <Fact name="Nodes">{resource.message}</Fact>
          <Fact name="Public IP">
            <span class="mono">{publicIPs.length === 0 ? 'none' : publicIPs.join(', ')}</span>
          </Fact>
          <Fact name="Certificates">{issuerWord(cluster)}</Fact>
        </dl>
      </section>
      <PlatformForm
        title={`Settings of ${resource.name}`}
        means="Applies at once."
        fields={clusterFields}
        values={clusterValues(cluster)}
        save={(dirty, values) => change(api.cluster(resource.name), clusterBody(dirty, values))}
        onSaved={onSaved}
      />
    </div>
  );
}
