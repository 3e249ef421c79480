import { type Json, at, jsonAt, listAt, same, textAt, wordOf } from '../../json.ts';
import { milli } from '../../../nodes/quantity.ts';
import { forbiddenField, invalidValue, notSupported, required } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { labelSelectorFaults } from './labelSelector.ts';
import { type KindRules, fixed, withSpec } from './rule.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

const accessFaults = (object: Json, why: string): readonly Cause[] => {
  const modes = listAt(object, 'spec', 'accessModes');
  if (modes.length === 0) return [required('spec.accessModes', why)];
  return modes.flatMap((mode) =>
    accessModes.includes(String(mode)) ? [] : [notSupported('spec.accessModes', mode, accessModes)],
  );
};

const aloneFaults = (modes: readonly unknown[]): readonly Cause[] =>
  modes.length > 1 && modes.includes('ReadWriteOncePod')
    ? [forbiddenField('spec.accessModes', 'may not use ReadWriteOncePod with other access modes')]
    : [];

/** What of a claim may be set later, and once only. */
const setOnce = ['volumeName', 'storageClassName'];

function claimChange(claim: Json, old: Json): readonly Cause[] {
  const [now, before] = [jsonAt(claim, 'spec'), jsonAt(old, 'spec')];
  const free = new Set(['volumeAttributesClassName', ...setOnce.filter((name) => before[name] === undefined)]);
  const rest = (spec: Json) => Object.fromEntries(Object.entries(spec).filter(([name]) => !free.has(name)));
  const bound = at(claim, 'status', 'phase') === 'Bound';
  const asked = bound ? { ...now, resources: withSizeOf(before, now) } : now;
  return [...(same(rest(asked), rest(before)) ? [] : [immutable]), ...shrinking(claim, old)];
}

const immutable = forbiddenField(
  'spec',
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims',
);

const sizeOf = (spec: Json) => at(spec, 'resources', 'requests', 'storage');

function withSizeOf(before: Json, now: Json): Json {
  const resources = jsonAt(now, 'resources');
  if (sizeOf(now) === undefined) return resources;
  return { ...resources, requests: { ...jsonAt(resources, 'requests'), storage: sizeOf(before) } };
}

/** A claim may be made smaller again after it was asked to grow, but not as small as its volume is already. */
function shrinking(claim: Json, old: Json): readonly Cause[] {
  const now = milli(wordOf(sizeOf(jsonAt(claim, 'spec'))));
  const capacity = milli(wordOf(at(old, 'status', 'capacity', 'storage')));
  if (now >= milli(wordOf(sizeOf(jsonAt(old, 'spec')))) || now > capacity) return [];
  return [forbiddenField('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}

/** What is wrong with a claim that stands in another object, to be made from there. */
export const claimFaults = (template: Json, path: string): readonly Cause[] =>
  claim.faults(template, undefined).map(({ field, ...cause }) => ({ ...cause, field: `${path}.${field}` }));

export const claim = {
  fill: (object: Json): Json => ({
    ...withSpec(object, { volumeMode: 'Filesystem' }),
    status: { phase: 'Pending', ...jsonAt(object, 'status') },
  }),
  faults: (object, old) => [
    ...accessFaults(object, 'at least 1 access mode is required'),
    ...(at(object, 'spec', 'resources', 'requests', 'storage') === undefined
      ? [required('spec.resources[storage]')]
      : []),
    ...labelSelectorFaults(at(object, 'spec', 'selector'), 'spec.selector'),
    ...aloneFaults(listAt(object, 'spec', 'accessModes')),
    ...(milli(wordOf(sizeOf(jsonAt(object, 'spec')) ?? 1)) > 0
      ? []
      : [invalidValue('spec.resources[storage]', sizeOf(jsonAt(object, 'spec')), 'must be greater than zero')]),
    ...(old ? claimChange(object, old) : []),
  ],
} satisfies KindRules;

const volumeSource = (spec: Json) =>
  Object.keys(spec).some((name) =>
    /^(hostPath|local|nfs|csi|iscsi|fc|rbd|cephfs|glusterfs|flexVolume|cinder)$/.test(name),
  ) ||
  Object.keys(spec).some((name) =>
    /(Disk|Volume|ElasticBlockStore|azureFile|storageos|scaleIO|quobyte|flocker)$/.test(name),
  );

export const volume: KindRules = {
  fill: (object) => ({
    ...withSpec(object, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' }),
    status: { phase: 'Pending', ...jsonAt(object, 'status') },
  }),
  faults: (object) => [
    ...accessFaults(object, ''),
    ...(at(object, 'spec', 'capacity') === undefined ? [required('spec.capacity')] : []),
    ...(volumeSource(jsonAt(object, 'spec')) ? [] : [required('spec', 'must specify a volume type')]),
  ],
};

export const storageClass: KindRules = {
  fill: (object) => ({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate', ...object }),
  faults: (object, old) => [
    ...(textAt(object, 'provisioner') === '' ? [required('provisioner')] : []),
    ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode']
      .filter((field) => old && !same(at(object, field), at(old, field)))
      .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`)),
  ],
};

export const csiDriver: KindRules = {
  fill: (object) =>
    withSpec(object, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      requiresRepublish: false,
      seLinuxMount: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
    }),
};

export const volumeAttachment: KindRules = { faults: (object, old) => fixed('spec')(object, old) };
