import type { Pod } from '../../../crds/builtIn.ts';
import type { CoreBuild } from '../../../crds/coreBuild.ts';
import { jobNameLabel, label } from '../../../crds/names.ts';
import { buildLabels, jobName } from '../../../rules/build/build.ts';
import type { BuilderSettings } from '../../../rules/build/job.ts';
import { byAwaitedHost, byAwaitedStore, byOwnKeys } from '../../services/cluster/indexes.ts';
import { dataOf, everyChange, exceptHistory, specRead } from '../../contract/reads.ts';
import { builds, connections, objectStores } from '../../services/cluster/kinds.ts';
import { failedCreations, failedMounts, jobPods, jobs, secrets } from '../../services/cluster/resources.ts';
import type { CacheReader } from '../../cache/reader.ts';
import type { Resource } from '../../services/cluster/cluster.ts';
import { cachedOnly, type Controller, controller, watching } from '../../contract/controller.ts';
import { namesBy, namesByEach } from '../../cache/names.ts';
import { causesIn } from './causes.ts';
import { buildLifecycle, readBuild } from './lifecycle.ts';

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
      // No state depends on a pod, but the cause of a failure does, which may be known after the Job has failed.
      watching({ resource: jobPods, reads: endsOf, concerns: buildOf }),
      ...[failedMounts, failedCreations].map((resource: Resource) => cachedOnly(resource)),
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
    causes: (build, deriving) => causesIn(build, readBuild(build), deriving, settings),
    ensures: {},
    defaults: ({ metadata, spec }) =>
      metadata.labels?.[label.app] === undefined ? { metadata: { labels: buildLabels(spec) } } : null,
  });
}

/** How a failed pod ended. */
const endsOf = ({ status }: Pod) =>
  status?.phase === 'Failed' &&
  [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map(({ state }) => state?.terminated);

const suffix = jobName('');

/** The build whose Job a pod belongs to. */
function buildOf({ metadata: { labels } }: Pod, reader: CacheReader): readonly string[] {
  const job = labels?.[jobNameLabel] ?? '';
  const name = job.endsWith(suffix) ? job.slice(0, -suffix.length) : '';
  return reader.get(builds, name) ? [name] : [];
}

const named = ({ name }: { readonly name: string }) => name;
const isBuild = ({ kind }: { readonly kind: string }) => kind === 'CoreBuild';
