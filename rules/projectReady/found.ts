import { namespaceOf } from '../project/environment.ts';
import type { ProjectObserved } from './facts.ts';

/** The maximum length of a DNS label, and therefore of an environment's namespace name. */
export const projectReadyLimits = { labelLength: 63 } as const;
export type ProjectReadyLimits = Readonly<Record<keyof typeof projectReadyLimits, number>>;

/** The first namespace with an environment's name that belongs to another project, among the known namespaces. */
export const takenNamespace = ({ namespaces }: Pick<ProjectObserved, 'namespaces'>): string | undefined =>
  namespaces.is === 'known' ? namespaces.value.find(({ is }) => is === 'taken')?.name : undefined;

/** What remains to be written: first the namespaces, then the objects in them. */
export const missingFrom = ({
  namespaces,
  missingPieces,
}: Pick<ProjectObserved, 'namespaces' | 'missingPieces'>): readonly string[] => [
  ...(namespaces.is === 'known' ? namespaces.value : [])
    .filter(({ isWhole }) => !isWhole)
    .map(({ name }) => `Namespace ${name}`),
  ...missingPieces,
];

type Named = Pick<ProjectObserved, 'project' | 'environments'>;

const isLabel = (name: string, { labelLength }: ProjectReadyLimits) =>
  name.length <= labelLength && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name);

export const clusterMissing = ({ cluster }: ProjectObserved): boolean => cluster === 'absent';
export const clusterNotReady = ({ cluster }: ProjectObserved): boolean => cluster === 'notReady';

/** A project cannot move to another cluster once it was ready on one. */
export const clusterChanged = ({ clusterRef, observedClusterRef }: ProjectObserved): boolean =>
  observedClusterRef !== '' && clusterRef !== observedClusterRef;

/** Whether an environment occurs twice in the list. */
export const environmentDoubled = ({ environments }: Named): boolean =>
  new Set(environments).size < environments.length;

/** Whether the project's name cannot be part of a namespace name. */
export const projectInvalid = ({ project }: Named, limits: ProjectReadyLimits = projectReadyLimits): boolean =>
  !isLabel(project, limits);

/** The first environment whose name is not a DNS label. */
export const invalidEnvironment = (
  { environments }: Named,
  limits: ProjectReadyLimits = projectReadyLimits,
): string | undefined => environments.find((environment) => !isLabel(environment, limits));

/** The first namespace whose name is not a DNS label. */
export const invalidNamespace = (
  { project, environments }: Named,
  limits: ProjectReadyLimits = projectReadyLimits,
): string | undefined =>
  environments.map((environment) => namespaceOf(project, environment)).find((namespace) => !isLabel(namespace, limits));
