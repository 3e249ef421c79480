import type { AppSpec } from '../../crds/coreApp.ts';
import { serverlessNamespace } from '../../crds/names.ts';
import { namespaceOf } from '../project/environment.ts';
import { maxAwake, usual } from './effective.ts';
import { wakeName } from './names.ts';
import type { Part, ServiceObject } from './part.ts';

/** Where KEDA's HTTP add-on takes requests in, and where it says how many there are. */
export const wakeProxy = {
  namespace: serverlessNamespace,
  name: 'keda-add-ons-http-interceptor-proxy',
  port: 8080,
} as const;
const proxyHost = `${wakeProxy.name}.${wakeProxy.namespace}.svc.cluster.local`;
const proxyPort = wakeProxy.port;
const scalerAddress = `keda-add-ons-http-external-scaler.${serverlessNamespace}:9090`;

/** How many requests one copy answers at a time before another one is started. */
const requestsPerCopy = 100;

type Place = Pick<AppSpec, 'project' | 'environment'>;

/** The host by which the wake proxy recognizes requests from inside the cluster. */
const wakeHost = (app: string, { project, environment }: Place): string =>
  `${wakeName(app)}.${namespaceOf(project, environment)}.svc`;

/** Where a service that may sleep is called from inside the cluster, so that the call wakes it. */
export const wakeAddress = (app: string, place: Place): string => `http://${wakeHost(app, place)}:${proxyPort}`;

/** How the wake proxy takes requests for a service: whose they are, and the way to it. */
export function wakeRoute({ app, spec, settled: { wake }, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  if (!wake.routed) return [];
  return [
    {
      apiVersion: 'http.keda.sh/v1beta1',
      kind: 'InterceptorRoute',
      metadata: { ...metadata, name },
      spec: {
        target: { service: name, port: 80 },
        rules: [{ hosts: [...wake.hosts, wakeHost(name, spec)] }],
        scalingMetric: { concurrency: { targetValue: requestsPerCopy } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { ...metadata, name: wakeName(name) },
      spec: {
        type: 'ExternalName',
        externalName: proxyHost,
        ports: [{ name: 'http', port: proxyPort, protocol: 'TCP', targetPort: proxyPort }],
      },
    },
  ];
}

/** What starts and stops its copies. */
export function wakeScaler({ app, spec, settled: { wake }, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  if (!wake.scaled) return [];
  const { idleSeconds = usual.idleSeconds } = spec.scaleToZero ?? {};
  return [
    {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      metadata: { ...metadata, name },
      spec: {
        scaleTargetRef: { name },
        minReplicaCount: 0,
        maxReplicaCount: maxAwake(spec),
        cooldownPeriod: idleSeconds,
        // Without it KEDA stops a service at once that had no request since the object was made.
        initialCooldownPeriod: idleSeconds,
        triggers: [{ type: 'external-push', metadata: { scalerAddress, interceptorRoute: name } }],
      },
    },
  ];
}
