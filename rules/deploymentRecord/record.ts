import type { CoreApp } from '../../crds/coreApp.ts';
import { type CoreDeployment, coreDeployment } from '../../crds/coreDeployment.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, label, managedBy, systemNamespace } from '../../crds/names.ts';
import type { ListedDeploy } from './deploys.ts';

/** The record of a deploy, as it is created: its own controller writes the status. */
export function recordOf(app: CoreApp, deploy: ListedDeploy): CoreDeployment {
  const { name: appName, uid } = app.metadata;
  const { name, at, project, environment, image, replicas, changeTitle, source, imageDigest } = deploy;
  return {
    ...typeMeta(coreDeployment),
    metadata: {
      name,
      namespace: systemNamespace,
      labels: {
        [label.managedBy]: managedBy,
        [label.app]: appName,
        [label.project]: project,
        [label.environment]: environment,
      },
      annotations: { [annotation.deployedAt]: at, ...(uid === undefined ? {} : { [annotation.ownerUid]: uid }) },
    },
    spec: {
      app: appName,
      project,
      environment,
      image,
      replicas,
      changeTitle,
      source,
      actor: 'Dashboard',
      ...(imageDigest === '' ? {} : { imageDigest }),
    },
  };
}
