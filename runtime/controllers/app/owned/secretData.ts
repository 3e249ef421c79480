import type { Secret } from '../../../../crds/builtIn.ts';
import type { AppSpec, CoreApp } from '../../../../crds/coreApp.ts';
import { variablesName } from '../../../../rules/service/names.ts';
import { versionKey } from '../../../../rules/service/variables.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { CacheReader } from '../../../cache/reader.ts';

type Data = Readonly<Record<string, string>>;

/** The content of the Secret of a service's pods, or the first missing source as text. */
export interface SecretContent {
  readonly data: Data;
  readonly missing: string | null;
}

const encoded = (value: string) => Buffer.from(value).toString('base64');

/** Later sources win: whole Secrets, values written into the spec, the variables that the API keeps. */
export function secretContent({ metadata }: CoreApp, spec: AppSpec, reader: CacheReader): SecretContent {
  const entries: [string, string][] = [];
  let missing: string | null = null;
  for (const { name = '' } of spec.secretRefs ?? []) {
    const found = reader.get(secrets, name);
    if (!found) missing ??= `Secret "${name}"`;
    entries.push(...Object.entries(found?.data ?? {}));
  }
  entries.push(
    ...Object.entries(spec.secretData ?? {}).map(([name, value]): [string, string] => [name, encoded(value)]),
  );
  const kept = reader.get(secrets, variablesName(metadata.name));
  for (const [name, version] of Object.entries(spec.secretVariables ?? {})) {
    const value = kept?.data?.[versionKey(name, version)];
    if (value === undefined) missing ??= `the value of the variable "${name}"`;
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
): { readonly config: string | null; readonly missing: string | null } {
  if (secret === '') return { config: null, missing: null };
  const config = configIn(reader.get(secrets, secret));
  return config === undefined ? { config: null, missing: `Secret "${secret}"` } : { config, missing: null };
}
