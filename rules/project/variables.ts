import type { SharedVariable } from '../../crds/coreProject.ts';
import type { KubeObject } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import type { MissingSource } from '../cause/missingSource.ts';
import { type Environment, madeLabels, namespaceOf } from './environment.ts';

/** The base64 data of a Secret. */
type Data = Readonly<Record<string, string>>;

export interface VariableSources {
  /** The data of a Secret of core-system; undefined when there is none of that name. */
  readonly secret: (name: string) => Data | undefined;
  /** The current content of the environment's Secret. */
  readonly standing: Data;
}

/** The shared variables of one environment: the content of its ConfigMap and its Secret, and what cannot be read. */
export interface EnvironmentVariables {
  readonly plain: Data;
  readonly secret: Data;
  readonly missing: readonly MissingSource[];
}

const nothing: EnvironmentVariables = { plain: {}, secret: {}, missing: [] };

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
    missing: [
      ...missing,
      {
        what: `shared variable "${name}"`,
        on: { kind: 'Secret', name: secretRef.name ?? '', namespace: systemNamespace },
        key: data === undefined ? null : secretRef.key,
        variable: name,
      },
    ],
  };
}

/** Which shared variable cannot be read, as the log and explanations say it. */
export const unreadMessage = ({ on, key, variable }: MissingSource): string =>
  `shared variable ${variable} ${key === null ? `secret "${on.name}"` : `secret key "${key}"`} was not found`;

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
