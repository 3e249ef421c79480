import type { CoreProject, SharedVariable } from '../../crds/coreProject.ts';

/** A shared variable by its name and its one environment. */
export interface VariableName {
  readonly environment: string;
  readonly name: string;
}

/** The Secret of core-system with the secret values of a project's variables. */
export const sharedSecretOf = (project: string): string => `${project}-shared-secrets`;

/** Environment names contain no underscore, so the prefix is unique. */
export const secretPrefixOf = (environment: string): string => `${environment}__`;
export const secretKeyOf = ({ environment, name }: VariableName): string => `${secretPrefixOf(environment)}${name}`;

export const isVariableName = (name: string): boolean => /^[A-Z_][A-Z0-9_]*$/.test(name);

const variablesOf = ({ spec }: CoreProject): readonly SharedVariable[] => spec.sharedVariables ?? [];
const isNamed = (wanted: VariableName) => (one: SharedVariable) =>
  one.name === wanted.name && one.environment === wanted.environment;

/** The patch that sets a variable; null for a secret that is already in the list. */
export function variableSet(
  project: CoreProject,
  named: VariableName,
  value: { readonly plain: string } | { readonly secret: string },
): object | null {
  const { environment, name } = named;
  const wanted: SharedVariable =
    'plain' in value
      ? { name, environment, value: value.plain }
      : { name, environment, value: '', secretRef: { name: value.secret, key: secretKeyOf(named) } };
  const before = variablesOf(project);
  const standing = before.filter(isNamed(named));
  if (standing.length === 1 && JSON.stringify(inOrder(standing[0])) === JSON.stringify(inOrder(wanted))) return null;
  const at = before.findIndex(isNamed(named));
  const others = before.filter((one) => !isNamed(named)(one));
  const place = at === -1 ? others.length : before.slice(0, at).filter((one) => !isNamed(named)(one)).length;
  return { spec: { sharedVariables: others.toSpliced(place, 0, wanted) } };
}

const inOrder = (variable: SharedVariable | undefined) =>
  variable && [variable.value, variable.secretRef?.name, variable.secretRef?.key];

/** The patch that removes a variable; null when it is not in the list. */
export function variableRemoved(project: CoreProject, named: VariableName): object | null {
  const before = variablesOf(project);
  return before.some(isNamed(named)) ? { spec: { sharedVariables: without(before, isNamed(named)) } } : null;
}

/** The patch that removes all variables of an environment; null for none. */
export function variablesRemoved(project: CoreProject, environment: string): object | null {
  const before = variablesOf(project);
  const isOf = (one: SharedVariable) => one.environment === environment;
  return before.some(isOf) ? { spec: { sharedVariables: without(before, isOf) } } : null;
}

const without = (variables: readonly SharedVariable[], isGone: (one: SharedVariable) => boolean) =>
  variables.filter((one) => !isGone(one));

/** Whether a variable of the project reads this key of its Secret. */
export const isSecretRead = (project: CoreProject, key: string): boolean =>
  variablesOf(project).some(
    ({ secretRef }) => secretRef?.name === sharedSecretOf(project.metadata.name) && secretRef.key === key,
  );
