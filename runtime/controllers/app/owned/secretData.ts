import type { Secret } from '../../../../crds/builtIn.ts';
import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import type { MissingSource } from '../../../../rules/cause/missingSource.ts';
import { variablesName } from '../../../../rules/service/names.ts';
import { versionKey } from '../../../../rules/service/variables.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';

type Data = Readonly<Record<string, string>>;

/** The content of the Secret of a service's pods, or the first missing source. */
export interface SecretContent {
  readonly data: Data;
  readonly missing: MissingSource | null;
}

const secretRef = (name: string) => ({ kind: 'Secret', name, namespace: systemNamespace });

/** A variable whose value the Secret of the API lacks. */
const missingValue = (secret: string, variable: string, kept: Secret | undefined): MissingSource => ({
  what: `the value of the variable "${variable}"`,
  on: secretRef(secret),
  key: kept === undefined ? null : variable,
  variable,
});

const encoded = (value: string) => Buffer.from(value).toString('base64');

/** Later sources win: whole Secrets, values written into the spec, the variables that the API keeps. */
export function secretContent({ metadata }: CoreApp, spec: AppSpec, reader: CacheReader): SecretContent {
  const entries: [string, string][] = [];
  let missing: MissingSource | null = null;
  for (const { name = '' } of spec.secretRefs ?? []) {
    const found = reader.get(secrets, name);
    if (!found) missing ??= { what: `Secret "${name}"`, on: secretRef(name), key: null, variable: null };
    entries.push(...Object.entries(found?.data ?? {}));
  }
  entries.push(
    ...Object.entries(spec.secretData ?? {}).map(([name, value]): [string, string] => [name, encoded(value)]),
  );
  const kept = reader.get(secrets, variablesName(metadata.name));
  for (const [name, version] of Object.entries(spec.secretVariables ?? {})) {
    const value = kept?.data?.[versionKey(name, version)];
    if (value === undefined) missing ??= missingValue(variablesName(metadata.name), name, kept);
    else entries.push([name, value]);
  }
  return { data: Object.fromEntries(entries), missing };
}

const configKeys = ['.registryconfigjson', '.dockerconfigjson'];

const configIn = (secret: Secret | undefined): string | undefined =>
  configKeys.map((key) => secret?.data?.[key]).find((config) => config !== undefined);

/** The content of the image pull Secret; null when the service names none. */
export function pullConfig(
  secret: string,
  reader: CacheReader,
): { readonly config: string | null; readonly missing: MissingSource | null } {
  if (secret === '') return { config: null, missing: null };
  const found = reader.get(secrets, secret);
  const config = configIn(found);
  if (config !== undefined) return { config, missing: null };
  const key = found === undefined ? null : '.dockerconfigjson';
  return { config: null, missing: { what: `Secret "${secret}"`, on: secretRef(secret), key, variable: null } };
}
