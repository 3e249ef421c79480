import { type CoreBuild } from '../../../crds/coreBuild.ts';
import { label } from '../../../crds/names.ts';
import { buildLabels } from '../../../rules/build/build.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { byAwaitedHost, byAwaitedStore, byOwnKeys } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, specRead } from '../../contract/reads.ts';
import { builds, connections, objectStores } from '../../services/cluster/kinds.ts';
import { failedCreations, failedMounts, jobPods, jobs, secrets } from '../../services/cluster/resources.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';
import { buildLifecycle } from './lifecycle.ts';

/** CoreBuild: its one machine, wired to the cluster, the Git host and the object store. */
export function buildController(settings: BuilderSettings): Controller {
  return controller<CoreBuild>({
    resource: builds,
    lifecycles: [buildLifecycle(settings)],
    watches: [
      watching({
        resource: jobs,
        reads: everyChange,
        concerns: ({ metadata }) => (metadata.ownerReferences ?? []).filter(isBuild).map(named),
      }),
      // Cached for the explanation only: no state depends on them.
      ...[jobPods, failedMounts, failedCreations].map((resource: Resource) => cachedOnly(resource)),
      watching({
        resource: connections,
        reads: specRead,
        concerns: ({ metadata }, reader) => namesBy(reader, builds, byAwaitedHost, metadata.name),
      }),
      watching({
        resource: secrets,
        reads: dataOf,
        concerns: ({ metadata }, reader) =>
          namesByEach(reader, builds, byAwaitedHost, namesBy(reader, connections, byOwnKeys, metadata.name)),
      }),
      watching({
        resource: objectStores,
        reads: exceptHistory,
        concerns: ({ metadata }, reader) => namesBy(reader, builds, byAwaitedStore, metadata.name),
      }),
    ],
    ensures: {},
    defaults: ({ metadata, spec }) =>
      metadata.labels?.[label.app] === undefined ? { metadata: { labels: buildLabels(spec) } } : null,
  });
}

const named = ({ name }: { readonly name: string }) => name;
const isBuild = ({ kind }: { readonly kind: string }) => kind === 'CoreBuild';
