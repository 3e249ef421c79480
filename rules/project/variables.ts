import type { SharedVariable } from '../../crds/coreProject.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { type Environment, madeLabels, namespaceOf } from './environment.ts';

/** The base64 data of a Secret. */
type Data = Readonly<Record<string, string>>;

export interface VariableSources {
  /** The data of a Secret of core-system; undefined when there is none of that name. */
  readonly secret: (name: string) => Data | undefined;
  /** The current content of the environment's Secret. */
  readonly standing: Data;
}

/**
 * The shared variables of one environment: the content of its ConfigMap and its Secret, and the first unreadable
 * variable.
 */
export interface EnvironmentVariables {
  readonly plain: Data;
  readonly secret: Data;
  readonly missing: string | null;
}

const nothing: EnvironmentVariables = { plain: {}, secret: {}, missing: null };

/** An unreadable value keeps its current content; the others are written nevertheless (decision 65). */
export const environmentVariables = (
  variables: readonly SharedVariable[],
  environment: string,
  sources: VariableSources,
): EnvironmentVariables =>
  variables
    .filter((variable) => variable.environment === environment)
    .reduce<EnvironmentVariables>((before, variable) => withVariable(before, variable, sources), nothing);

function withVariable(
  { plain, secret, missing }: EnvironmentVariables,
  { name, value, secretRef }: SharedVariable,
  { secret: read, standing }: VariableSources,
): EnvironmentVariables {
  if (secretRef === undefined) return { plain: { ...plain, [name]: value }, secret, missing };
  const data = read(secretRef.name ?? '');
  const found = data?.[secretRef.key];
  if (found !== undefined) return { plain, secret: { ...secret, [name]: found }, missing };
  const kept = standing[name];
  return {
    plain,
    secret: kept === undefined ? secret : { ...secret, [name]: kept },
    missing:
      missing ??
      notFound(name, data === undefined ? `secret "${secretRef.name ?? ''}"` : `secret key "${secretRef.key}"`),
  };
}

const notFound = (name: string, what: string) => `shared variable ${name} ${what} was not found`;

export const sharedVariables = 'core-shared-variables';
export const sharedSecrets = 'core-shared-secrets';

interface VariableHolder extends KubeObject {
  readonly data: Data;
}

/** The ConfigMap and the Secret that services of an environment read; an empty one is not created. */
export function variableObjects(of: Environment, { plain, secret }: EnvironmentVariables): readonly VariableHolder[] {
  const holding = (kind: string, name: string, data: Data): readonly VariableHolder[] => {
    const metadata = { name, namespace: namespaceOf(of.project, of.environment), labels: madeLabels(of) };
    return Object.keys(data).length === 0 ? [] : [{ apiVersion: 'v1', kind, metadata, data }];
  };
  return [...holding('ConfigMap', sharedVariables, plain), ...holding('Secret', sharedSecrets, secret)];
}
