import { annotation } from '../../crds/names.ts';
import { codeRevision, runnerOf } from '../function/container.ts';
import { podAnnotations, podPlacement } from '../placement.ts';
import { portOf } from './effective.ts';
import { envOf } from './injected.ts';
import { selectorLabels, serviceLabels } from './labels.ts';
import { configName, pullSecretName, variablesName } from './names.ts';
import type { Part, ServiceObject } from './part.ts';
import { rolloutOf, strategyOf } from './rollout.ts';
import { type Additions, additions, additionsText, noAdditions } from './template.ts';

/** How long a new pod has to run before it counts as available, so that one that exits at once never does. */
export const minReadySeconds = 5;

/**
 * The Deployment of a service. Template additions of this version are applied only with another change, so neither an
 * upgrade nor a downgrade restarts pods.
 */
export function deploymentOf(part: Part, own: Additions = additions): ServiceObject {
  const { app, settled, metadata } = part;
  const rollout = rolloutOf(templateOf(part, noAdditions), settled.rollout);
  const added = rollout === settled.rollout.stands ? settled.rollout.added : own;
  const text = additionsText(added);
  const annotations = { [annotation.rollout]: rollout, ...(text !== '' && { [annotation.templateAdditions]: text }) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, name: app.metadata.name, annotations },
    spec: {
      ...(settled.replicas === null ? {} : { replicas: settled.replicas }),
      minReadySeconds,
      strategy: strategyOf(rollout),
      selector: { matchLabels: selectorLabels(app) },
      template: templateOf(part, added),
    },
  };
}

function templateOf(part: Part, added: Additions) {
  const { app, spec, settled } = part;
  const code = codeRevision(spec);
  const annotations = {
    ...(settled.deployRevision === '' ? {} : { [annotation.deployRevision]: settled.deployRevision }),
    ...(settled.variablesRevision === '' ? {} : { [annotation.variables]: settled.variablesRevision }),
    ...(code === '' ? {} : { [annotation.code]: code }),
    ...podAnnotations(settled.placement.tags),
  };
  return {
    metadata: { labels: serviceLabels(app, spec), annotations },
    spec: {
      ...added.pod,
      ...podPlacement(settled.placement),
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      ...(settled.pullConfig === null ? {} : { imagePullSecrets: [{ name: pullSecretName(app.metadata.name) }] }),
      containers: [{ ...added.container, ...container(part) }],
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
