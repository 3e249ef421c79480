import type { Stored } from '../../store.ts';
import { listAt } from '../json.ts';
import type { Attributes } from './attributes.ts';

/** What a role allows: verbs on resources, or on paths that are none. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const read = new WeakMap<Stored, readonly PolicyRule[]>();

/** The rules of a Role or ClusterRole, with every list there. */
export function rulesOf(role: Stored): readonly PolicyRule[] {
  const known = read.get(role);
  if (known) return known;
  const rules = listAt(role, 'rules').map(ruleOf);
  read.set(role, rules);
  return rules;
}

/** A rule as an object carries it, with every list there. */
export const ruleOf = (rule: unknown): PolicyRule => ({
  verbs: words(rule, 'verbs'),
  apiGroups: words(rule, 'apiGroups'),
  resources: words(rule, 'resources'),
  resourceNames: words(rule, 'resourceNames'),
  nonResourceURLs: words(rule, 'nonResourceURLs'),
});

const words = (rule: unknown, field: keyof PolicyRule) => listAt(rule, field).map(String);
const any = '*';

/** Whether a rule allows what is asked. */
export function allows(rule: PolicyRule, asked: Attributes): boolean {
  if (!rule.verbs.includes(asked.verb) && !rule.verbs.includes(any)) return false;
  if (asked.is === 'path') return rule.nonResourceURLs.some((url) => matchesPath(url, asked.path));
  return (
    (rule.apiGroups.includes(asked.group) || rule.apiGroups.includes(any)) &&
    matchesResource(
      rule.resources,
      asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`,
    ) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(asked.name))
  );
}

/** Whether one of the resources is this one, which may have a subresource: `pods/log`. */
export function matchesResource(resources: readonly string[], asked: string): boolean {
  if (resources.includes(any) || resources.includes(asked)) return true;
  const slash = asked.indexOf('/');
  return slash >= 0 && resources.includes(`${any}${asked.slice(slash)}`);
}

/** Whether a path is the one of a rule, or below one that ends with a star. */
export const matchesPath = (url: string, path: string) =>
  url === path || (url.endsWith(any) && path.startsWith(url.replace(/\*+$/, '')));
