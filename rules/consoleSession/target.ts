import type { CoreApp } from '../../crds/coreApp.ts';
import type { KubeObject, OwnerReference } from '../../crds/kind.ts';
import { annotation, label, systemNamespace } from '../../crds/names.ts';
import { namespaceOf } from '../project/environment.ts';
import { isDeleting } from '../deleting.ts';

/** The target of a session in its spec. */
export interface Target {
  readonly app: string;
  readonly project: string;
  readonly environment: string;
  readonly pod: string;
  readonly container: string;
}

/** The parts of a pod that show whether a command can run in it. */
export interface TargetPod extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly name: string }[] };
  readonly status?: {
    readonly containerStatuses?: readonly { readonly name: string; readonly state?: { readonly running?: object } }[];
  };
}

/** Sessions of the object-store server have neither project nor environment. */
export const isOfStore = ({ project, environment }: Pick<Target, 'project' | 'environment'>): boolean =>
  project === '' && environment === '';

export const targetNamespace = (target: Target): string =>
  isOfStore(target) ? systemNamespace : namespaceOf(target.project, target.environment);

const objectName = /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/;
const containerName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Whether all parts are valid names: a session written with kubectl may contain a path. */
export const isNameable = (target: Target): boolean =>
  objectName.test(target.app) &&
  objectName.test(target.pod) &&
  containerName.test(target.container) &&
  objectName.test(targetNamespace(target));

/** Whether a main container of that name runs; the pod is not terminating. */
export const runsContainer = ({ metadata, spec, status }: TargetPod, container: string): boolean =>
  !isDeleting({ metadata }) &&
  spec?.containers?.some(({ name }) => name === container) === true &&
  status?.containerStatuses?.some(({ name, state }) => name === container && state?.running !== undefined) === true;

/** The controller in the owner references of an object. */
export const controllerOf = ({ metadata }: KubeObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/**
 * Whether a Deployment is that of the service: labels prove nothing, but the owner's uid was written by the operator.
 */
export const isDeploymentOf = ({ metadata: { name, labels, annotations } }: KubeObject, app: CoreApp): boolean =>
  name === app.metadata.name &&
  labels?.[label.kind] === 'CoreApp' &&
  labels[label.name] === name &&
  annotations?.[annotation.ownerUid] === app.metadata.uid;
