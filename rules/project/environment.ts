import { label, managedBy } from '../../crds/names.ts';

/** One environment of a project, as its objects name it. */
export interface Environment {
  readonly project: string;
  readonly environment: string;
  /** The CoreCluster that the project belongs to. */
  readonly cluster: string;
}

/** The namespace that an environment is. */
export const namespaceOf = (project: string, environment: string): string => `${project}-${environment}`;

/** What says whose environment a namespace is. */
export const environmentLabels = ({ project, environment, cluster }: Environment) => ({
  [label.project]: project,
  [label.environment]: environment,
  [label.cluster]: cluster,
});

/** The labels of what the operator made in an environment. */
export const madeLabels = (of: Environment) => ({ [label.managedBy]: managedBy, ...environmentLabels(of) });
