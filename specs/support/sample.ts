import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Effect } from 'effect';
import { parseAllDocuments } from 'yaml';
import type { KubeObject } from '../../crds/kind.ts';
import { kinds } from '../../crds/kinds.ts';
import { resourceOf, secrets } from '../../runtime/services/cluster/resources.ts';
import type { ClusterShape, Resource } from '../../runtime/services/cluster/cluster.ts';
import { root } from './product.ts';

/** The objects of one file of crds/samples. */
export const sample = (name: string): readonly (KubeObject & { readonly kind: string })[] =>
  parseAllDocuments(readFileSync(join(root, 'crds/samples', name), 'utf8')).map(
    (document) => document.toJS() as KubeObject & { readonly kind: string },
  );

const resourceFor = (kind: string): Resource => {
  if (kind === 'Secret') return secrets;
  const found = kinds.find((one) => one.kind === kind);
  if (!found) throw new Error(`no resource for ${kind}`);
  return resourceOf(found);
};

/** Creates the objects of a sample, each changed by `change`. */
export const applySample = (
  cluster: ClusterShape,
  name: string,
  change: (object: KubeObject & { readonly kind: string }) => KubeObject & { readonly kind: string } = (object) =>
    object,
): Promise<void> =>
  Effect.runPromise(
    Effect.forEach(
      sample(name).map(change),
      (object) =>
        cluster.create(resourceFor(object.kind), object).pipe(Effect.catchTag('AlreadyExists', () => Effect.void)),
      { discard: true },
    ),
  );
