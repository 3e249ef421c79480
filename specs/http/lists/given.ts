import * as assert from 'uvu/assert';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { annotation, systemNamespace } from '../../../crds/names.ts';
import type { Items } from '../../../http/api.ts';
import { apps } from '../../../runtime/services/cluster/kinds.ts';
import { until } from '../../support/until.ts';
import { app, type Served } from '../served.ts';
import { refusalOf } from '../services/given.ts';

export interface Named {
  readonly name: string;
}

/** A service that no pass looks at. */
export function resting(name: string, spec: Partial<CoreApp['spec']> = {}, annotations = {}): CoreApp {
  const made = app(name, { deploy: { enabled: false }, ...spec });
  return { ...made, metadata: { ...made.metadata, annotations: { [annotation.paused]: 'true', ...annotations } } };
}

/** Puts services into the cluster that no pass changes. */
export async function putApps(
  { world, operator }: Served,
  names: readonly string[],
  spec: Partial<CoreApp['spec']> = {},
): Promise<void> {
  for (const name of names) world.cluster.put(apps, resting(name, spec));
  await until(() => names.every((name) => operator.caches.get(apps, name)), 'the services are cached');
}

export async function removeApp({ world, operator }: Served, name: string): Promise<void> {
  const one = world.cluster.all(apps).find(({ metadata }) => metadata.name === name);
  if (one) world.cluster.put(apps, { ...one, metadata: { ...one.metadata, finalizers: [] } });
  world.cluster.drop(apps, name, systemNamespace);
  await until(() => operator.caches.get(apps, name) === undefined, 'it is no longer cached');
}

/** Reads of a list, as one caller. */
export function reading(ask: (path: string) => ReturnType<Served['ask']>) {
  const page = async <T = Named>(path: string): Promise<Items<T>> => {
    const answer = await ask(`/api/v1${path}`);
    assert.is(answer.status, 200, answer.text);
    return answer.json() as Items<T>;
  };
  return {
    page,
    names: async (path: string) => (await page(path)).items.map(({ name }) => name),
    refusal: async (path: string) => refusalOf(await ask(`/api/v1${path}`)),
    /** All pages of a list, each as the names on it. */
    pages: async (path: string): Promise<readonly (readonly string[])[]> => {
      const found: (readonly string[])[] = [];
      for (let from: string | undefined = ''; from !== undefined;) {
        const read: Items<Named> = await page(`${path}${from === '' ? '' : `&continue=${from}`}`);
        found.push(read.items.map(({ name }) => name));
        from = read.continue;
      }
      return found;
    },
  };
}
