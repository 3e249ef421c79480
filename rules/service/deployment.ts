import { annotation } from '../../crds/names.ts';
import { codeRevision, runnerOf } from '../function/container.ts';
import { podPlacement } from '../placement.ts';
import { portOf } from './effective.ts';
import { envOf } from './injected.ts';
import { selectorLabels, serviceLabels } from './labels.ts';
import { configName, pullSecretName, variablesName } from './names.ts';
import type { Part, ServiceObject } from './objects.ts';

/** Where no pod more fits, a pod has to go before its successor comes. */
const strategyOf = (surges: boolean) => ({
  type: 'RollingUpdate',
  rollingUpdate: surges ? { maxSurge: '25%', maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: 1 },
});

/** The copies of a service. */
export function deploymentOf(part: Part): ServiceObject {
  const { app, settled, metadata } = part;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, name: app.metadata.name },
    spec: {
      ...(settled.replicas === null ? {} : { replicas: settled.replicas }),
      strategy: strategyOf(settled.surges),
      selector: { matchLabels: selectorLabels(app) },
      template: template(part),
    },
  };
}

function template(part: Part) {
  const { app, spec, settled } = part;
  const code = codeRevision(spec);
  const annotations = {
    ...(settled.deployRevision === '' ? {} : { [annotation.deployRevision]: settled.deployRevision }),
    ...(settled.variablesRevision === '' ? {} : { [annotation.variables]: settled.variablesRevision }),
    ...(code === '' ? {} : { [annotation.code]: code }),
    ...(settled.logsStay ? { [annotation.logShipping]: 'off' } : {}),
  };
  return {
    metadata: { labels: serviceLabels(app, spec), annotations },
    spec: {
      ...podPlacement(settled.placement),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(settled.pullConfig === null ? {} : { imagePullSecrets: [{ name: pullSecretName(app.metadata.name) }] }),
      containers: [container(part)],
      ...runnerOf(app.metadata.name, spec).pod,
    },
  };
}

function container({ app, spec, settled }: Part) {
  const port = portOf(spec);
  const runner = runnerOf(app.metadata.name, spec);
  return {
    name: 'app',
    image: settled.image,
    ...runner.container,
    ports: [{ name: 'http', containerPort: port, protocol: 'TCP' }],
    env: [{ name: 'PORT', value: String(port) }, ...settled.injected.map(envOf), ...runner.env],
    envFrom: envFrom(app.metadata.name, {
      config: Object.keys(spec.config ?? {}).length > 0,
      secrets: Object.keys(settled.secretData).length > 0,
    }),
    ...(spec.resources ? { resources: spec.resources } : {}),
  };
}

const envFrom = (app: string, has: { readonly config: boolean; readonly secrets: boolean }) => [
  ...(has.config ? [{ configMapRef: { name: configName(app) } }] : []),
  ...(has.secrets ? [{ secretRef: { name: variablesName(app) } }] : []),
];
