import { label, managedBy } from '../../crds/names.ts';

/** One environment of a project, as named in its objects. */
export interface Environment {
  readonly project: string;
  readonly environment: string;
  /** The CoreCluster that the project belongs to. */
  readonly cluster: string;
}

/** The namespace of an environment. */
export const namespaceOf = (project: string, environment: string): string => `${project}-${environment}`;

/** The labels that identify the environment of a namespace. */
export const environmentLabels = ({ project, environment, cluster }: Environment) => ({
  [label.project]: project,
  [label.environment]: environment,
  [label.cluster]: cluster,
});

/** The labels of objects created by the operator in an environment. */
export const madeLabels = (of: Environment) => ({ [label.managedBy]: managedBy, ...environmentLabels(of) });
