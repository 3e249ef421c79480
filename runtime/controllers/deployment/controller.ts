import type { CoreApp } from '../../../crds/coreApp.ts';
import type { CoreDeployment } from '../../../crds/coreDeployment.ts';
import { annotation } from '../../../crds/names.ts';
import { isActive } from '../../../rules/activeDeployment/name.ts';
import { apps, deployments } from '../../services/cluster/kinds.ts';
import { isLeftOver, recordsOf } from './ensures.ts';
import { type Controller, controller, watching } from '../../contract/controller.ts';
import { recordLifecycle } from './lifecycle.ts';

/** CoreDeployment, records of deploys: announces each once, and keeps the newest of a service. */
export function deploymentRecordController(): Controller {
  return controller<CoreDeployment>({
    resource: deployments,
    name: 'deploymentRecord',
    owns: (name) => !isActive(name),
    lifecycles: [recordLifecycle],
    watches: [
      watching<CoreApp>({
        resource: apps,
        reads: ({ metadata }) => metadata.annotations?.[annotation.adopt],
        concerns: ({ metadata: { name } }, reader) => {
          const app = reader.get(apps, name);
          return recordsOf(name, reader)
            .filter((record) => isLeftOver(record, app))
            .map(({ metadata }) => metadata.name);
        },
      }),
    ],
    ensures: {},
  });
}
