import { type PolicyRule, matchesPath, matchesResource } from './rule.ts';

const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };

/** Those single permissions of some rules that none of the rules held gives. */
export const missing = (held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] =>
  wanted.flatMap(single).filter((one) => !held.some((rule) => covers(rule, one)));

/** A rule taken apart: one verb on one resource of one group, under one name at most, or one path. */
function single({ verbs, apiGroups, resources, resourceNames, nonResourceURLs }: PolicyRule): readonly PolicyRule[] {
  const named = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  return verbs.flatMap((verb) => [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        named.map((names) => ({
          ...none,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames: names,
        })),
      ),
    ),
    ...nonResourceURLs.map((url) => ({ ...none, verbs: [verb], nonResourceURLs: [url] })),
  ]);
}

const hasAll = (held: readonly string[], wanted: readonly string[]) =>
  held.includes('*') || wanted.every((one) => held.includes(one));

/** Whether one rule alone gives a single permission. */
function covers(held: PolicyRule, one: PolicyRule): boolean {
  if (!hasAll(held.verbs, one.verbs)) return false;
  if (one.nonResourceURLs.length > 0)
    return one.nonResourceURLs.every((path) => held.nonResourceURLs.some((url) => matchesPath(url, path)));
  const isNamed = one.resourceNames.length > 0;
  return (
    hasAll(held.apiGroups, one.apiGroups) &&
    one.resources.every((resource) => matchesResource(held.resources, resource)) &&
    (held.resourceNames.length === 0 ||
      (isNamed && one.resourceNames.every((name) => held.resourceNames.includes(name))))
  );
}

/** Single permissions put together again where only the verb differs. */
export function compacted(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const byResource = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { apiGroups, resources, resourceNames, nonResourceURLs, verbs } = rule;
    const isPath = nonResourceURLs.length > 0;
    const key = JSON.stringify([apiGroups, resources, resourceNames, nonResourceURLs, isPath ? verbs : []]);
    const before = byResource.get(key)?.verbs ?? [];
    byResource.set(key, { ...rule, verbs: [...new Set([...before, ...verbs])] });
  }
  return [...byResource.values()];
}

/** A list of words as the API's messages write it. */
export const wordsText = (words: readonly string[]) => `[${words.map((word) => JSON.stringify(word)).join(' ')}]`;

const shownFields = [
  ['APIGroups', 'apiGroups'],
  ['Resources', 'resources'],
  ['NonResourceURLs', 'nonResourceURLs'],
  ['ResourceNames', 'resourceNames'],
  ['Verbs', 'verbs'],
] as const;

/** A rule as the API's messages write it: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function ruleText(rule: PolicyRule): string {
  const parts = shownFields
    .filter(([, field]) => rule[field].length > 0)
    .map(([name, field]) => `${name}:${wordsText(rule[field])}`);
  return `{${parts.join(', ')}}`;
}
