import type { CoreApp } from '../../crds/coreApp.ts';
import { portOf } from '../../rules/service/effective.ts';
import { triggerSecretName, triggerToken } from '../../rules/function/names.ts';
import { isTriggered } from '../../rules/function/triggered.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import { projects } from '../../runtime/services/cluster/kinds.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Variable } from '../routes/apps/shapes.ts';

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

/** The keys of whole Secrets, over which the service's own secret variables win. */
const fromSecrets = ({ spec }: CoreApp, reader: CacheReader): readonly Variable[] =>
  (spec.secretRefs ?? []).flatMap(({ name: secret }) =>
    Object.keys(reader.get(secrets, secret)?.data ?? {}).map((name) => injected(name, 'secret', `Secret ${secret}`)),
  );

const trigger = ({ metadata, spec }: CoreApp): readonly Variable[] =>
  isTriggered(spec) ? [injected(triggerToken, 'secret', `Secret ${triggerSecretName(metadata.name)}`)] : [];

/** What wins over every variable of the service's own. */
const imposed = (app: CoreApp, reader: CacheReader): readonly Variable[] => [
  { ...injected('PORT', 'literal', 'the port of the service'), value: String(portOf(app.spec)) },
  ...trigger(app),
  ...shared(app, reader),
  ...(app.spec.connectionRefs ?? []).map(({ variable, kind, name }) => injected(variable, 'secret', `${kind} ${name}`)),
];

/** Whether a variable comes from elsewhere, so that the service itself can neither set nor remove it. */
export const isInjected = (app: CoreApp, name: string, reader: CacheReader): boolean =>
  [...imposed(app, reader), ...fromSecrets(app, reader)].some((one) => one.name === name);

const plain = ({ spec }: CoreApp): readonly Variable[] =>
  Object.entries(spec.config ?? {}).map(([name, value]) => ({
    name,
    kind: 'config',
    injected: false,
    from: '',
    value,
  }));

const secret = ({ spec }: CoreApp): readonly Variable[] =>
  Object.keys({ ...spec.secretData, ...spec.secretVariables }).map((name) => ({
    name,
    kind: 'secret',
    injected: false,
    from: '',
  }));

/** The variables that the pods of a service get with the next deploy, by name; of several with one name the last wins. */
export function variablesOf(app: CoreApp, reader: CacheReader): readonly Variable[] {
  const inOrder = [...plain(app), ...fromSecrets(app, reader), ...secret(app), ...imposed(app, reader)];
  const all = new Map(inOrder.map((one) => [one.name, one]));
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
