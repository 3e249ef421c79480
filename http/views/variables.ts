import type { CoreApp } from '../../crds/coreApp.ts';
import { portOf } from '../../rules/service/effective.ts';
import { triggerSecretName, triggerToken } from '../../rules/function/names.ts';
import { isTriggered } from '../../rules/function/triggered.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { projects } from '../../runtime/kinds.ts';
import { secrets } from '../../runtime/resources.ts';
import type { Variable } from '../api.ts';

const injected = (name: string, kind: 'literal' | 'secret', from: string): Variable => ({
  name,
  kind,
  injected: true,
  from,
});

function shared({ spec }: CoreApp, reader: CacheReader): readonly Variable[] {
  const known = reader.get(projects, spec.project)?.spec.sharedVariables ?? [];
  return (spec.sharedVariableRefs ?? []).map((name) => {
    const variable = known.find((one) => one.name === name && one.environment === spec.environment);
    const from = `shared variable of ${spec.environment}`;
    if (!variable || variable.secretRef) return injected(name, variable ? 'secret' : 'literal', from);
    return { ...injected(name, 'literal', from), value: variable.value };
  });
}

const fromSecrets = ({ spec }: CoreApp, reader: CacheReader): readonly Variable[] =>
  (spec.secretRefs ?? []).flatMap(({ name: secret }) =>
    Object.keys(reader.get(secrets, secret)?.data ?? {}).map((name) => injected(name, 'secret', `Secret ${secret}`)),
  );

const trigger = ({ metadata, spec }: CoreApp): readonly Variable[] =>
  isTriggered(spec) ? [injected(triggerToken, 'secret', `Secret ${triggerSecretName(metadata.name)}`)] : [];

/** The variables that come from elsewhere, which the service itself cannot remove. */
export const injectedVariables = (app: CoreApp, reader: CacheReader): readonly Variable[] => [
  { ...injected('PORT', 'literal', 'the port of the service'), value: String(portOf(app.spec)) },
  ...trigger(app),
  ...shared(app, reader),
  ...(app.spec.connectionRefs ?? []).map(({ variable, kind, name }) => injected(variable, 'secret', `${kind} ${name}`)),
  ...fromSecrets(app, reader),
];

const ownVariables = ({ spec }: CoreApp): readonly Variable[] => [
  ...Object.entries(spec.config ?? {}).map(([name, value]): Variable => ({
    name,
    kind: 'config',
    injected: false,
    from: '',
    value,
  })),
  ...[...new Set([...Object.keys(spec.secretData ?? {}), ...Object.keys(spec.secretVariables ?? {})])].map(
    (name): Variable => ({ name, kind: 'secret', injected: false, from: '' }),
  ),
];

/** The variables that the pods of a service get with the next deploy, by name. */
export function variablesOf(app: CoreApp, reader: CacheReader): readonly Variable[] {
  const all = new Map([...ownVariables(app), ...injectedVariables(app, reader)].map((one) => [one.name, one]));
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
