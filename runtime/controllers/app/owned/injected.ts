import type { AppSpec } from '../../../../crds/coreApp.ts';
import { bucketSecretName, systemNamespace } from '../../../../crds/names.ts';
import type { MissingSource } from '../../../../rules/cause/missingSource.ts';
import { connectionSecretName } from '../../../../rules/database/connection.ts';
import { namespaceOf } from '../../../../rules/project/environment.ts';
import { sharedSecrets, sharedVariables } from '../../../../rules/project/variables.ts';
import type { Injected } from '../../../../rules/service/injected.ts';
import { projects } from '../../../services/cluster/kinds.ts';
import { owned } from '../../../owned/owned.ts';
import { secrets } from '../../../services/cluster/resources.ts';
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

/** The first missing shared variable; null for none. */
export function missingShared(spec: AppSpec, reader: CacheReader): MissingSource | null {
  const found = sharedOf(spec, reader);
  const namespace = namespaceOf(spec.project, spec.environment);
  for (const name of spec.sharedVariableRefs ?? []) {
    const variable = found.find((one) => one.name === name);
    if (!variable || variable.from.is === 'value') return undefinedVariable(name, spec.project);
    const resource = variable.from.is === 'secret' ? owned.secrets : owned.configMaps;
    const holder = reader.get(resource, variable.from.name, namespace) as
      { readonly data?: Readonly<Record<string, string>> } | undefined;
    if (holder?.data?.[name] === undefined) return unreadVariable(name, spec, reader);
  }
  return null;
}

const undefinedVariable = (name: string, project: string): MissingSource => ({
  what: `shared variable "${name}"`,
  on: { kind: 'CoreProject', name: project, namespace: systemNamespace },
  key: name,
  variable: null,
});

/** A shared variable that did not come to its environment: its Secret is missing, or the project did not copy it yet. */
function unreadVariable(name: string, { project, environment }: AppSpec, reader: CacheReader): MissingSource {
  const variable = reader
    .get(projects, project)
    ?.spec.sharedVariables?.find((one) => one.name === name && one.environment === environment);
  const { name: secret = '', key = '' } = variable?.secretRef ?? {};
  if (secret === '') return undefinedVariable(name, project);
  const isThere = reader.get(secrets, secret) !== undefined;
  return {
    what: `shared variable "${name}"`,
    on: { kind: 'Secret', name: secret, namespace: systemNamespace },
    key: isThere ? key : null,
    variable: name,
  };
}
