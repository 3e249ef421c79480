import type { CoreDeployment } from '../../../../../crds/coreDeployment.ts';
import { label } from '../../../../../crds/names.ts';
import { activeName, isActive } from '../../../../../rules/activeDeployment/name.ts';
import type { CacheReader } from '../../../../cache/reader.ts';
import { apps, deployments } from '../../../../services/cluster/kinds.ts';
import type { Fields } from '../../../../contract/lifecycle.ts';
import { owned } from '../../../../owned/owned.ts';
import { isEmpty, mergePatchOf } from '../../../../step/mergePatch.ts';
import { everyChange } from '../../../../contract/reads.ts';
import { gateOf, specOf } from '../../../../../rules/service/deployed.ts';
import { activeRecordOf } from '../../observe.ts';
import { type Controller, controller, watching } from '../../../../contract/controller.ts';
import { appOf, activeLifecycle } from './lifecycle.ts';

/** CoreDeployment, records of what runs: spec and status follow the Deployments of services. */
export function activeDeploymentController(): Controller {
  return controller<CoreDeployment>({
    resource: deployments,
    name: 'activeDeployment',
    owns: isActive,
    lifecycles: [activeLifecycle],
    watches: [
      watching({
        resource: apps,
        reads: (app) => [specOf(app), gateOf(app), app.metadata.deletionTimestamp, app.status?.resolvedImage],
        concerns: ({ metadata }) => [activeName(metadata.name)],
      }),
      watching({
        resource: owned.deployments,
        reads: everyChange,
        concerns: ({ metadata: { labels } }) =>
          labels?.[label.kind] === 'CoreApp' ? [activeName(labels[label.name] ?? '')] : [],
      }),
    ],
    ensures: {},
    defaults: updatedFields,
  });
}

/** The fields to update in a record; null when nothing differs, or nothing is to be recorded. */
function updatedFields(record: CoreDeployment, reader: CacheReader): Fields | null {
  const app = appOf(record, reader);
  const wanted = app && activeRecordOf(app, reader, record);
  if (!wanted) return null;
  const { labels = {}, ownerReferences = [] } = record.metadata;
  const others = Object.fromEntries(Object.entries(labels).filter(([name]) => name !== label.app));
  const patch = mergePatchOf(
    { spec: record.spec, metadata: { labels, ownerReferences } },
    {
      spec: wanted.spec,
      metadata: {
        labels: { ...others, ...wanted.metadata.labels },
        ownerReferences: wanted.metadata.ownerReferences ?? [],
      },
    },
  );
  return isEmpty(patch) ? null : patch;
}
