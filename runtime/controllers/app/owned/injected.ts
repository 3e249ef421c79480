import type { AppSpec } from '../../../../crds/coreApp.ts';
import { bucketSecretName } from '../../../../crds/names.ts';
import { connectionSecretName } from '../../../../rules/database/connection.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { sharedSecrets, sharedVariables } from '../../../../rules/project/variables.ts';
import type { Injected } from '../../../../rules/service/injected.ts';
import { projects } from '../../../services/cluster/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import type { CacheReader } from '../../../cache/reader.ts';

/** The shared variables of a service that the project defines for its environment. */
export function sharedOf(spec: AppSpec, reader: CacheReader): readonly Injected[] {
  const known = reader.get(projects, spec.project)?.spec.sharedVariables ?? [];
  return (spec.sharedVariableRefs ?? []).flatMap((name): readonly Injected[] => {
    const variable = known.find((one) => one.name === name && one.environment === spec.environment);
    if (!variable) return [];
    const from = variable.secretRef
      ? { is: 'secret' as const, name: sharedSecrets, key: name }
      : { is: 'configMap' as const, name: sharedVariables, key: name };
    return [{ name, from }];
  });
}

/** The variables that come from the connection Secrets of databases and buckets. */
export const connectionsOf = ({ connectionRefs = [] }: AppSpec): readonly Injected[] =>
  connectionRefs.map(({ kind, name, variable, key }) => ({
    name: variable,
    from: {
      is: 'secret',
      name: kind === 'CoreObjectStore' ? bucketSecretName(name) : connectionSecretName(name),
      key,
    },
  }));

/** The first missing shared variable as text; null for none. */
export function missingShared(spec: AppSpec, reader: CacheReader): string | null {
  const found = sharedOf(spec, reader);
  const namespace = namespaceOf(spec.project, spec.environment);
  for (const name of spec.sharedVariableRefs ?? []) {
    const variable = found.find((one) => one.name === name);
    if (!variable || variable.from.is === 'value') return `shared variable "${name}"`;
    const resource = variable.from.is === 'secret' ? owned.secrets : owned.configMaps;
    const holder = reader.get(resource, variable.from.name, namespace) as
      { readonly data?: Readonly<Record<string, string>> } | undefined;
    if (holder?.data?.[name] === undefined) return `shared variable "${name}"`;
  }
  return null;
}
