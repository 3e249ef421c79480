import type { AppSpec } from '../../crds/coreApp.ts';
import { serverlessNamespace } from '../../crds/names.ts';
import { namespaceOf } from '../project/environment.ts';
import { maxAwake, usual } from './effective.ts';
import { wakeName } from './names.ts';
import type { Part, ServiceObject } from './part.ts';

/** The addresses of KEDA's HTTP add-on: for requests, and for their count. */
export const wakeProxy = {
  namespace: serverlessNamespace,
  name: 'keda-add-ons-http-interceptor-proxy',
  port: 8080,
} as const;
const proxyHost = `${wakeProxy.name}.${wakeProxy.namespace}.svc.cluster.local`;
const proxyPort = wakeProxy.port;
const scalerAddress = `keda-add-ons-http-external-scaler.${serverlessNamespace}:9090`;

/** The concurrent requests per copy before another one is started. */
const requestsPerCopy = 100;

type Place = Pick<AppSpec, 'project' | 'environment'>;

/** The host by which the wake proxy recognizes requests from inside the cluster. */
const wakeHost = (app: string, { project, environment }: Place): string =>
  `${wakeName(app)}.${namespaceOf(project, environment)}.svc`;

/** The address inside the cluster of a service that may sleep, where a call wakes it. */
export const wakeAddress = (app: string, place: Place): string => `http://${wakeHost(app, place)}:${proxyPort}`;

/** The route of the wake proxy to a service. */
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

/** The scaler of a service. */
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
        // Without it KEDA stops a service at once that had no request since the object's creation.
        initialCooldownPeriod: idleSeconds,
        triggers: [{ type: 'external-push', metadata: { scalerAddress, interceptorRoute: name } }],
      },
    },
  ];
}
