import type { SharedVariable } from '../../crds/coreProject.ts';

/** The data of a Secret, as the API gives it: base64. */
type Data = Readonly<Record<string, string>>;

export interface VariableSources {
  /** The data of a Secret of core-system; undefined where there is none of that name. */
  readonly secret: (name: string) => Data | undefined;
  /** What stands in the environment's Secret now. */
  readonly standing: Data;
}

/** The shared variables of one environment: what its ConfigMap and its Secret hold, and the first that cannot be read. */
export interface EnvironmentVariables {
  readonly plain: Data;
  readonly secret: Data;
  readonly missing: string | null;
}

const nothing: EnvironmentVariables = { plain: {}, secret: {}, missing: null };

/** A value that cannot be read stays as it stands; the others are written all the same (decision 65). */
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
