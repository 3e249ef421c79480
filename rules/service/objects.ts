import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import { functionParts, schedulesOf } from '../function/objects.ts';
import { namespaceOf } from '../project/environment.ts';
import { autoscalerOf } from './autoscaler.ts';
import { deploymentOf } from './deployment.ts';
import { serviceLabels } from './labels.ts';
import { configName, pullSecretName, variablesName } from './names.ts';
import { ingressOf, serviceOf } from './reached.ts';
import type { Settled } from './settled.ts';
import { wakeRoute, wakeScaler } from './wake.ts';
import type { Part, ServiceObject } from './part.ts';

/** The workload of a service in creation order: configuration before the pods, routing after them. */
export function serviceObjects(app: CoreApp, spec: AppSpec, settled: Settled): readonly ServiceObject[] {
  const namespace = namespaceOf(spec.project, spec.environment);
  const part: Part = { app, spec, settled, metadata: { namespace, labels: serviceLabels(app, spec) } };
  return [
    ...config(part),
    ...secrets(part),
    ...functionParts(part),
    serviceOf(part),
    deploymentOf(part),
    ...autoscalerOf(part),
    ...wakeRoute(part),
    ...ingressOf(part),
    ...wakeScaler(part),
    ...schedulesOf(part),
  ];
}

function config({ app, spec, metadata }: Part): readonly ServiceObject[] {
  const data = spec.config ?? {};
  if (Object.keys(data).length === 0) return [];
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name: configName(app.metadata.name) }, data },
  ];
}

function secrets({ app, settled, metadata }: Part): readonly ServiceObject[] {
  const { name } = app.metadata;
  const { secretData, pullConfig } = settled;
  const secret = (of: Omit<ServiceObject, 'apiVersion' | 'kind'>): ServiceObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    ...of,
  });
  return [
    ...(Object.keys(secretData).length === 0
      ? []
      : [secret({ metadata: { ...metadata, name: variablesName(name) }, data: secretData })]),
    ...(pullConfig === null
      ? []
      : [
          secret({
            type: 'kubernetes.io/dockerconfigjson',
            metadata: { ...metadata, name: pullSecretName(name) },
            data: { '.dockerconfigjson': pullConfig },
          }),
        ]),
  ];
}
