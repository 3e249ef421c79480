import { type Json, isJson, jsonAt, textAt } from '../../json.ts';
import { eachItem } from './rule.ts';

/** The spec of a pod as the API completes it, in a pod and in the template of one. */
export function podSpec(spec: Json): Json {
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...spec,
    ...(textAt(spec, 'serviceAccountName') !== '' && { serviceAccount: spec['serviceAccountName'] }),
    ...eachItem(spec, 'containers', (one) => container(one, spec['hostNetwork'] === true)),
    ...eachItem(spec, 'initContainers', (one) => container(one, spec['hostNetwork'] === true)),
    ...eachItem(spec, 'ephemeralContainers', (one) => container(one, false)),
    ...eachItem(spec, 'volumes', volume),
    ...eachItem(spec, 'topologySpreadConstraints', (one) => ({ ...one })),
  };
}

/** Without a tag, or with the tag `latest`, an image is pulled each time. */
function isLatest(image: string): boolean {
  return !image.includes('@') && (!/:[^/]*$/.test(image) || image.endsWith(':latest'));
}

function container(value: Json, hostNetwork: boolean): Json {
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest(textAt(value, 'image')) ? 'Always' : 'IfNotPresent',
    resources: {},
    ...value,
    ...eachItem(value, 'ports', (port) => ({
      ...(hostNetwork && { hostPort: port['containerPort'] }),
      protocol: 'TCP',
      ...port,
    })),
    ...eachItem(value, 'env', variable),
    ...Object.fromEntries(
      ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) =>
        isJson(value[name]) ? [[name, probe(jsonAt(value, name))]] : [],
      ),
    ),
    ...(isJson(value['lifecycle']) && { lifecycle: lifecycle(jsonAt(value, 'lifecycle')) }),
  };
}

function variable(env: Json): Json {
  const from = jsonAt(env, 'valueFrom');
  if (!isJson(from['fieldRef'])) return env;
  return { ...env, valueFrom: { ...from, fieldRef: { apiVersion: 'v1', ...jsonAt(from, 'fieldRef') } } };
}

const withRequest = (handler: Json): Json =>
  isJson(handler['httpGet'])
    ? { ...handler, httpGet: { path: '/', scheme: 'HTTP', ...jsonAt(handler, 'httpGet') } }
    : handler;

const probe = (value: Json): Json => ({
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
  ...withRequest(value),
  ...(isJson(value['grpc']) && { grpc: { service: '', ...jsonAt(value, 'grpc') } }),
});

const lifecycle = (value: Json): Json => ({
  ...value,
  ...Object.fromEntries(
    ['postStart', 'preStop'].flatMap((name) => (isJson(value[name]) ? [[name, withRequest(jsonAt(value, name))]] : [])),
  ),
});

const sources: Readonly<Record<string, Json>> = {
  secret: { defaultMode: 420 },
  configMap: { defaultMode: 420 },
  downwardAPI: { defaultMode: 420 },
  projected: { defaultMode: 420 },
  hostPath: { type: '' },
};

function volume(value: Json): Json {
  const given = Object.keys(value).filter((name) => name !== 'name');
  if (given.length === 0) return { ...value, emptyDir: {} };
  const filled = given
    .filter((name) => sources[name] !== undefined && isJson(value[name]))
    .map((name) => [name, { ...sources[name], ...jsonAt(value, name) }] as const);
  return { ...value, ...Object.fromEntries(filled) };
}

/** An object with its pod template completed. */
export function withTemplate(object: Json): Json {
  const spec = jsonAt(object, 'spec');
  const template = jsonAt(spec, 'template');
  if (!isJson(template['spec'])) return object;
  return { ...object, spec: { ...spec, template: { ...template, spec: podSpec(jsonAt(template, 'spec')) } } };
}
