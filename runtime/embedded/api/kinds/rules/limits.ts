import { milli } from '../../../nodes/quantity.ts';
import { type Json, at, jsonAt, listAt, textAt, wordOf } from '../../json.ts';
import { forbiddenField, invalidObject, invalidValue } from '../../schema/cause.ts';
import type { Cause } from '../../status.ts';
import { type KindRules, eachItem } from './rule.ts';

const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];

/** What a quota may count without naming a group. */
const countable: ReadonlySet<string> = new Set(
  compute.concat(
    ['ephemeral-storage', 'limits.ephemeral-storage', 'requests.ephemeral-storage', 'requests.storage'],
    ['configmaps', 'persistentvolumeclaims', 'pods', 'replicationcontrollers', 'resourcequotas', 'secrets'],
    ['services', 'services.loadbalancers', 'services.nodeports'],
  ),
);

const isCountable = (name: string) =>
  name.includes('/') || countable.has(name) || /^(requests\.)?hugepages-/.test(name);

/** The messages for a name that is neither known nor in a group. */
const unknownName = ['must be a standard resource type or fully qualified', 'must be a standard resource for quota'];

function hardFaults(hard: Json): readonly Cause[] {
  return Object.entries(hard).flatMap(([name, amount]) => {
    const field = `spec.hard[${name}]`;
    if (!isCountable(name)) return unknownName.map((why) => invalidValue(field, name, why));
    return wordOf(amount).startsWith('-')
      ? [invalidValue(field, wordOf(amount), 'must be greater than or equal to 0')]
      : [];
  });
}

/** What each scope of pods can be counted by. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  BestEffort: ['pods'],
  CrossNamespacePodAffinity: ['pods', ...compute],
  NotBestEffort: ['pods', ...compute],
  NotTerminating: ['pods', ...compute],
  PriorityClass: ['pods', ...compute],
  Terminating: ['pods', ...compute],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

function scopeFaults(quota: Json): readonly Cause[] {
  const asked = listAt(quota, 'spec', 'scopes').map(wordOf);
  const resources = Object.keys(jsonAt(quota, 'spec', 'hard')).filter((name) => countable.has(name));
  const refuse = (why: string) => invalidObject('spec.scopes', asked, why);
  return [
    ...asked.flatMap((scope) => {
      const known = scopes[scope];
      if (!known) return [refuse('unsupported scope')];
      return resources
        .filter((name) => !known.includes(name))
        .map(() => refuse('unsupported scope applied to resource'));
    }),
    ...opposites.filter((pair) => pair.every((scope) => asked.includes(scope))).map(() => refuse('conflicting scopes')),
  ];
}

export const resourceQuota: KindRules = {
  faults: (object) => [...hardFaults(jsonAt(object, 'spec', 'hard')), ...scopeFaults(object)],
};

/** A container is limited by the greatest that is allowed, and asks for its limit, where nothing else is said. */
function withLimitDefaults(item: Json): Json {
  if (item['type'] !== 'Container') return item;
  const limits = { ...jsonAt(item, 'max'), ...jsonAt(item, 'default') };
  const requests = { ...jsonAt(item, 'min'), ...limits, ...jsonAt(item, 'defaultRequest') };
  return {
    ...item,
    ...(Object.keys(limits).length > 0 && { default: limits }),
    ...(Object.keys(requests).length > 0 && { defaultRequest: requests }),
  };
}

/** Bounds of which the first may not exceed the second: how each is called, and the field and the bound that a fault names. */
const bounds = [
  { low: 'min', high: 'max', words: ['min', 'max'], field: 'min', bound: 'min' },
  {
    low: 'min',
    high: 'defaultRequest',
    words: ['min', 'default request'],
    field: 'defaultRequest',
    bound: 'defaultRequest',
  },
  {
    low: 'defaultRequest',
    high: 'max',
    words: ['default request', 'max'],
    field: 'defaultRequest',
    bound: 'defaultRequest',
  },
  {
    low: 'defaultRequest',
    high: 'default',
    words: ['default request', 'default limit'],
    field: 'defaultRequest',
    bound: 'defaultRequest',
  },
  { low: 'min', high: 'default', words: ['min', 'default'], field: 'default', bound: 'min' },
  { low: 'default', high: 'max', words: ['default', 'max'], field: 'default', bound: 'max' },
] as const;

function limitFaults(item: unknown, path: string): readonly Cause[] {
  const names = new Set(bounds.flatMap(({ low }) => Object.keys(jsonAt(item, low))));
  const amount = (bound: string, name: string) => at(item, bound, name);
  return [...names].toSorted().flatMap((name) =>
    bounds
      .filter(({ low, high }) => amount(high, name) !== undefined && amount(low, name) !== undefined)
      .filter(({ low, high }) => milli(wordOf(amount(low, name))) > milli(wordOf(amount(high, name))))
      .map(({ low, high, words, field, bound }) => {
        const why = `${words[0]} value ${wordOf(amount(low, name))} is greater than ${words[1]} value ${wordOf(amount(high, name))}`;
        return invalidValue(`${path}.${field}[${name}]`, wordOf(amount(bound, name)), why);
      }),
  );
}

/** Whole pods ask for nothing by themselves. */
const podFaults = (item: unknown, path: string): readonly Cause[] =>
  textAt(item, 'type') !== 'Pod'
    ? []
    : ['default', 'defaultRequest']
        .filter((field) => Object.keys(jsonAt(item, field)).length > 0)
        .map((field) => forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'"));

export const limitRange: KindRules = {
  fill: (object) => ({
    ...object,
    spec: { ...jsonAt(object, 'spec'), ...eachItem(jsonAt(object, 'spec'), 'limits', withLimitDefaults) },
  }),
  faults: (object) =>
    listAt(object, 'spec', 'limits').flatMap((item, index) =>
      textAt(item, 'type') === ''
        ? []
        : [...podFaults(item, `spec.limits[${index}]`), ...limitFaults(item, `spec.limits[${index}]`)],
    ),
};
