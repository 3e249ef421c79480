import { type Json, isJson, jsonAt, listAt } from '../../json.ts';
import { ephemeralFaults } from './ephemeral.ts';
import { podSpec } from './podDefaults.ts';
import { podChangeFaults, podSpecFaults } from './podFaults.ts';
import { templateFaults } from './podTemplate.ts';
import { type KindRules, eachItem } from './rule.ts';

function fill(pod: Json): Json {
  if (!isJson(pod['spec'])) return pod;
  const spec = withHostPorts(podSpec(jsonAt(pod, 'spec')));
  const whole = {
    enableServiceLinks: true,
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    ...spec,
    ...eachItem(spec, 'containers', withRequests),
    ...eachItem(spec, 'initContainers', withRequests),
  };
  return { ...pod, spec: whole, status: { phase: 'Pending', qosClass: qosClass(whole), ...jsonAt(pod, 'status') } };
}

/** In the network of its node, each port of a pod is one of the node; the template of the pod says nothing of it. */
function withHostPorts(spec: Json): Json {
  if (spec['hostNetwork'] !== true) return spec;
  const open = (one: Json): Json => ({
    ...one,
    ...eachItem(one, 'ports', (port) => ({ hostPort: port['containerPort'], ...port })),
  });
  return { ...spec, ...eachItem(spec, 'containers', open), ...eachItem(spec, 'initContainers', open) };
}

/** What is limited and not asked for is asked for up to its limit. */
function withRequests(container: Json): Json {
  const resources = jsonAt(container, 'resources');
  const limits = resources['limits'];
  if (!isJson(limits)) return container;
  return { ...container, resources: { ...resources, requests: { ...limits, ...jsonAt(resources, 'requests') } } };
}

const scarce = ['cpu', 'memory'];

function qosClass(spec: Json): string {
  const all = [...listAt(spec, 'containers'), ...listAt(spec, 'initContainers')].map((one) => jsonAt(one, 'resources'));
  const amounts = (list: string) =>
    all.flatMap((one) => Object.entries(jsonAt(one, list)).filter(([name]) => scarce.includes(name)));
  if (amounts('limits').length === 0 && amounts('requests').length === 0) return 'BestEffort';
  const isGuaranteed = all.every((one) =>
    scarce.every(
      (name) =>
        jsonAt(one, 'limits')[name] !== undefined && jsonAt(one, 'limits')[name] === jsonAt(one, 'requests')[name],
    ),
  );
  return isGuaranteed ? 'Guaranteed' : 'Burstable';
}

export const pod: KindRules = {
  fill,
  faults: (object, old) => [
    ...podSpecFaults(object['spec'], 'spec'),
    ...ephemeralFaults(object, old),
    ...(old ? podChangeFaults(object, old) : []),
  ],
};

export const podTemplate: KindRules = {
  fill: (object) => {
    const template = jsonAt(object, 'template');
    return isJson(template['spec'])
      ? { ...object, template: { ...template, spec: podSpec(jsonAt(template, 'spec')) } }
      : object;
  },
  faults: (object) => templateFaults(object['template'], 'template'),
};
