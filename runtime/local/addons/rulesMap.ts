import type { KubeObject } from '../../../crds/kind.ts';
import type { Caches } from '../../cache/caches.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { builtIn } from './builtIn.ts';
import { type AddonRule, addonRuleFor } from './rules.ts';

interface Rules extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const name = 'simulated-addons';

/** The ConfigMap with the rules of the simulation. */
export const rulesMap: Resource<Rules> = {
  ...builtIn<Rules>('ConfigMap', 'configmaps'),
  cached: { fieldSelector: `metadata.name=${name}` },
};

/** The rule for a name, by the current ConfigMap; empty when none matches. */
export function rulesIn(caches: Caches): (of: string) => Partial<AddonRule> {
  const text = caches.get(rulesMap, name)?.data?.['rules'] ?? '';
  return (of) => addonRuleFor(text, of) ?? {};
}
