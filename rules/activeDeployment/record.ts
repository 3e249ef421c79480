import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import { type CoreDeployment, coreDeployment, type DeploymentSpec } from '../../crds/coreDeployment.ts';
import { coreApp } from '../../crds/coreApp.ts';
import { typeMeta } from '../../crds/kind.ts';
import { label, managedBy, systemNamespace } from '../../crds/names.ts';
import { activeName } from './name.ts';

/** What runs for a service: its running spec, and the state of its Deployment. */
export interface Runs {
  readonly spec: AppSpec;
  /** The image of the running container. */
  readonly image: string;
  readonly replicas: number;
  /** The build that produced the image, empty when none did. */
  readonly build: string;
  /** The current content of the record; undefined for a new one. */
  readonly before: Recorded | undefined;
}

type Recorded = Pick<DeploymentSpec, 'commit' | 'imageDigest'>;

/** Commit and digest of the running copies: a deploy resolves to another image before its Deployment is written. */
function recordedOf({ status }: CoreApp, { spec, image, before }: Runs): Recorded {
  const resolved = status?.resolvedImage ?? '';
  if (before !== undefined && image !== resolved) return before;
  return { commit: spec.source.git?.commit ?? '', imageDigest: resolved };
}

const setOnly = (fields: Partial<DeploymentSpec>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

/** Builds the record of what runs for a service, owned by it. */
export function activeRecord(app: CoreApp, runs: Runs): CoreDeployment {
  const { name, uid = '' } = app.metadata;
  const { project, environment } = runs.spec;
  const { commit = '', imageDigest = '' } = recordedOf(app, runs);
  return {
    ...typeMeta(coreDeployment),
    metadata: {
      name: activeName(name),
      namespace: systemNamespace,
      labels: {
        [label.managedBy]: managedBy,
        [label.kind]: coreDeployment.kind,
        [label.name]: name,
        [label.systemNamespace]: systemNamespace,
        [label.project]: project,
        [label.environment]: environment,
      },
      ownerReferences: [{ ...typeMeta(coreApp), name, uid, controller: true, blockOwnerDeletion: true }],
    },
    spec: {
      app: name,
      project,
      environment,
      image: runs.image,
      replicas: runs.replicas,
      source: 'CoreApp controller',
      trigger: 'Reconciliation',
      ...setOnly({ commit, buildRef: runs.build, imageDigest }),
    },
  };
}
