import { pathTo } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { sharedKernel, singleServers, oneNode } from './text.ts';

const never = () => false;

/** What of this installation is not as on a cluster of servers, and what leads there; nothing where all is. */
export function HowPodsRun() {
  const platform = useLoaded(pathTo('GET /platform', {}), never).value;
  if (platform?.podmanNode) return <Containers />;
  if (platform?.simulatedNodes) return <Simulated />;
  return null;
}

const Containers = () => (
  <Card title="How pods run" actions={<span class="muted small">in containers of podman on this one machine</span>}>
    <div class="card-body stack-tight">
      <ul>
        <li>{sharedKernel}</li>
        <li>Claims of every storage class are volumes of podman here.</li>
        <li>{singleServers}</li>
        <li>{oneNode}</li>
      </ul>
      <p>
        To outgrow it, push images to a registry, keep the output of <code>kubectl get core -o yaml</code>, and start
        with <code>--kubeconfig</code> of a cluster.
      </p>
    </div>
  </Card>
);

const Simulated = () => (
  <Card title="How pods run" actions={<span class="muted small">they are simulated</span>}>
    <div class="card-body stack-tight">
      <p>
        No container is run: services and databases are reported as running, and nothing listens. With podman on the
        machine, <code>CORE_NODES=podman</code> runs pods in real containers; <code>--kubeconfig</code> leads to a
        cluster.
      </p>
    </div>
  </Card>
);
