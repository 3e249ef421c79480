import type { Stored } from '../../store.ts';
import { type LabelSelector, selects } from '../../nodes/expression.ts';
import { isJson, listAt, same } from '../json.ts';
import type { ApiStore } from '../store/store.ts';
import { bucket } from './policy.ts';

/** Gives every ClusterRole that aggregates others the rules of those, now and whenever one of them changes. */
export async function aggregateRoles(store: ApiStore): Promise<{ readonly stop: () => Promise<void> }> {
  let working: Promise<void> | null = null;
  let again = false;

  async function work() {
    do {
      again = false;
      await Promise.all(store.list(bucket.clusterRoles).filter(isAggregate).map(fill));
    } while (again);
    // Here and not later: what changes in between would wait for nobody.
    working = null;
  }

  /** A role that is gone by now needs no rules; a full disk fails the next write. */
  async function fill({ metadata: { name } }: Stored) {
    const place = { bucket: bucket.clusterRoles, namespace: '', name };
    const update = store.update(place, (old) => {
      const rules = aggregated(store, old);
      return same(listAt(old, 'rules'), rules) ? old : { ...old, rules };
    });
    await update.catch(() => null);
  }

  const stop = store.onChange(({ bucket: of }) => {
    if (of !== bucket.clusterRoles) return;
    again = true;
    working ??= work();
  });
  working = work();
  await working;
  return {
    async stop() {
      stop();
      again = false;
      await working;
    },
  };
}

const isAggregate = (role: Stored) => isJson(role['aggregationRule']);

/** The rules of all other roles that one of the selectors matches, in the order of their names, each once. */
function aggregated(store: ApiStore, role: Stored): readonly unknown[] {
  const selectors = listAt(role, 'aggregationRule', 'clusterRoleSelectors') as readonly LabelSelector[];
  const found = store
    .list(bucket.clusterRoles)
    .filter(({ metadata }) => metadata.name !== role.metadata.name)
    .filter(({ metadata }) => selectors.some((selector) => selects(selector, metadata.labels)))
    .flatMap((other) => listAt(other, 'rules'));
  return found.filter((rule, index) => found.findIndex((earlier) => same(earlier, rule)) === index);
}
