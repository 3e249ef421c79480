import { type Json, isJson, jsonAt, textAt } from '../../json.ts';
import { defaulted, eachItem } from './rule.ts';
import { volumeDefaults, withReference } from './volumeDefaults.ts';

/** The spec of a pod as the API completes it, in a pod and in the template of one. */
export function podSpec(spec: Json): Json {
  return {
    ...defaulted(spec, {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      securityContext: {},
      schedulerName: 'default-scheduler',
    }),
    ...(textAt(spec, 'serviceAccountName') !== '' && { serviceAccount: spec['serviceAccountName'] }),
    ...eachItem(spec, 'containers', container),
    ...eachItem(spec, 'initContainers', container),
    ...eachItem(spec, 'ephemeralContainers', container),
    ...eachItem(spec, 'volumes', volumeDefaults),
  };
}

/** Without a tag, or with the tag `latest`, an image is pulled each time. */
const pullPolicyOf = (image: string) =>
  !image.includes('@') && (!/:[^/]*$/.test(image) || image.endsWith(':latest')) ? 'Always' : 'IfNotPresent';

function container(value: Json): Json {
  return {
    ...defaulted(value, {
      terminationMessagePath: '/dev/termination-log',
      terminationMessagePolicy: 'File',
      imagePullPolicy: pullPolicyOf(textAt(value, 'image')),
      resources: {},
    }),
    ...eachItem(value, 'ports', (port) => defaulted(port, { protocol: 'TCP' })),
    ...eachItem(value, 'env', variable),
    ...Object.fromEntries(
      ['livenessProbe', 'readinessProbe', 'startupProbe'].flatMap((name) =>
        isJson(value[name]) ? [[name, probe(jsonAt(value, name))]] : [],
      ),
    ),
    ...(isJson(value['lifecycle']) && { lifecycle: lifecycle(jsonAt(value, 'lifecycle')) }),
  };
}

const variable = (env: Json): Json =>
  isJson(env['valueFrom']) ? { ...env, valueFrom: withReference(jsonAt(env, 'valueFrom')) } : env;

const withRequest = (handler: Json): Json =>
  isJson(handler['httpGet'])
    ? { ...handler, httpGet: defaulted(jsonAt(handler, 'httpGet'), { path: '/', scheme: 'HTTP' }) }
    : handler;

const probeTimes = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

const probe = (value: Json): Json => ({
  ...probeTimes,
  ...withRequest(Object.fromEntries(Object.entries(value).filter(([name, one]) => !(name in probeTimes && one === 0)))),
  ...(isJson(value['grpc']) && { grpc: { service: '', ...jsonAt(value, 'grpc') } }),
});

const lifecycle = (value: Json): Json => ({
  ...value,
  ...Object.fromEntries(
    ['postStart', 'preStop'].flatMap((name) => (isJson(value[name]) ? [[name, withRequest(jsonAt(value, name))]] : [])),
  ),
});

/** An object with its pod template completed. */
export function withTemplate(object: Json): Json {
  const spec = jsonAt(object, 'spec');
  const template = jsonAt(spec, 'template');
  if (!isJson(template['spec'])) return object;
  return { ...object, spec: { ...spec, template: { ...template, spec: podSpec(jsonAt(template, 'spec')) } } };
}
