import { type ResourceType, groupVersion, verbsOf } from '../kinds/type.ts';
import { metaV1 } from '../published/definition.ts';
import { definition, definitionName } from '../published/definitions.ts';
import { type Dialect, type Document, component, namesIn, reference } from './component.ts';
import { simplified } from './simplified.ts';

const shared = ['Status', 'DeleteOptions', 'WatchEvent', 'APIResourceList', 'ObjectMeta', 'ListMeta', 'Patch'];

/** The name of the schema of a kind: that of its published type, or its group turned round for a custom one. */
export const schemaName = ({ custom, group, version, kind }: ResourceType): string =>
  custom ? [...group.split('.').toReversed(), version, kind].join('.') : definitionName(group, version, kind);

const kindsOf = ({ group, version }: ResourceType, kind: string) => ({
  'x-kubernetes-group-version-kind': [{ group, version, kind }],
});

/** The schemas of some resources with all that these are made of. */
export function schemasOf(types: readonly ResourceType[], dialect: Dialect): Document {
  const found = new Map<string, Document>();
  const add = (name: string) => {
    const known = definition(name);
    if (!known || found.has(name)) return;
    found.set(name, component(known, dialect));
    namesIn(known).forEach(add);
  };
  shared.forEach((name) => add(`${metaV1}.${name}`));
  for (const type of types) {
    if (type.subresources.includes('scale')) add(definitionName('autoscaling', 'v1', 'Scale'));
    if (type.custom) addCustom(found, type, dialect);
    else addBuiltIn(found, type, add);
  }
  return Object.fromEntries([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function addBuiltIn(found: Map<string, Document>, type: ResourceType, add: (name: string) => void): void {
  const name = schemaName(type);
  const list = verbsOf(type).includes('list') ? [[`${name}List`, type.listKind] as const] : [];
  for (const [one, kind] of [[name, type.kind] as const, ...list]) {
    add(one);
    const schema = found.get(one);
    if (schema) found.set(one, { ...schema, ...kindsOf(type, kind) });
  }
}

const described = (dialect: Dialect, name: string, description: string): Document =>
  dialect === 'v2' ? { ...reference(dialect, name), description } : { allOf: [reference(dialect, name)], description };

const text = (description: string): Document => ({ type: 'string', description });

/** The fields by which objects of a kind can be selected. */
function selectableIn({ custom }: ResourceType): Document {
  const paths = custom?.selectableFields ?? [];
  if (paths.length === 0) return {};
  return { 'x-kubernetes-selectable-fields': paths.map((path) => ({ fieldPath: path.replace(/^\./, '') })) };
}

function addCustom(found: Map<string, Document>, type: ResourceType, dialect: Dialect): void {
  const name = schemaName(type);
  const { fields = {} } = definition(definitionName('', 'v1', 'ConfigMap')) ?? {};
  const own = {
    apiVersion: text(fields['apiVersion']?.description ?? ''),
    kind: text(fields['kind']?.description ?? ''),
  };
  const schema = type.custom?.schema ?? {};
  const metadata = described(dialect, `${metaV1}.ObjectMeta`, fields['metadata']?.description ?? '');
  found.set(name, {
    ...(dialect === 'v2' ? simplified(schema) : schema),
    properties: {
      ...own,
      ...(dialect === 'v2' ? simplified(schema).properties : schema.properties),
      metadata,
    },
    ...kindsOf(type, type.kind),
    ...selectableIn(type),
  });
  found.set(`${name}List`, {
    description: `${type.listKind} is a list of ${type.kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...own,
      items: {
        type: 'array',
        description: `List of ${type.plural} of ${groupVersion(type)}.`,
        items: reference(dialect, name),
      },
      metadata: described(dialect, `${metaV1}.ListMeta`, 'Metadata of the list.'),
    },
    ...kindsOf(type, type.listKind),
    ...selectableIn(type),
  });
}
