import type { Stored } from '../../store.ts';
import { at, isJson, jsonAt, listAt, textAt } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import type { ApiStore } from '../store/store.ts';
import { builtIn, definitions } from './builtIn.ts';
import { webhookOf } from './conversion.ts';
import { isServed } from './declared/acceptedNames.ts';
import { type CustomParts, type PrinterColumn, type ResourceType, type Subresource, groupVersion } from './type.ts';

/** Which resources are served right now. */
export interface Registry {
  readonly all: () => readonly ResourceType[];
  readonly find: (group: string, version: string, plural: string) => ResourceType | undefined;
}

/**
 * The built-in kinds, those that only some installations have, and those of the CustomResourceDefinitions in the store, from
 * the moment these are stored.
 */
export function createRegistry(
  store: ApiStore,
  more: readonly ResourceType[] = [],
): Registry & { readonly stop: () => void } {
  let types = served(store, more);
  let all = [...types.values()];
  const stop = store.onChange(({ bucket }) => {
    if (bucket !== definitions) return;
    types = served(store, more);
    all = [...types.values()];
  });
  return {
    all: () => all,
    find: (group, version, plural) => types.get(`${group}/${version}/${plural}`),
    stop,
  };
}

function served(store: ApiStore, more: readonly ResourceType[]): ReadonlyMap<string, ResourceType> {
  // Versions of groups that are built in hold what is built in, and nothing else.
  const custom = store
    .list(definitions)
    .filter(isServed)
    .flatMap(typesOf)
    .filter((type) => !builtInVersions.has(groupVersion(type)))
    .filter((type) => !more.some((own) => groupVersion(own) === groupVersion(type)));
  return new Map(
    [...builtIn, ...more, ...custom].map((type) => [`${type.group}/${type.version}/${type.plural}`, type] as const),
  );
}

const builtInVersions: ReadonlySet<string> = new Set(builtIn.map(groupVersion));

/** The resources of one CustomResourceDefinition under the names granted to it: one for each version that is served. */
function typesOf(definition: Stored): readonly ResourceType[] {
  const group = textAt(definition, 'spec', 'group');
  const names = jsonAt(definition, 'status', 'acceptedNames');
  const plural = textAt(names, 'plural');
  const kind = textAt(names, 'kind');
  const stored = listAt(definition, 'spec', 'versions').find((version) => at(version, 'storage') === true);
  const webhook = webhookOf(definition);
  const storage = { group, version: textAt(stored, 'name'), kind, schema: schemaOf(stored) };
  return listAt(definition, 'spec', 'versions')
    .filter((version) => at(version, 'served') === true)
    .map((version) => ({
      group,
      version: textAt(version, 'name'),
      plural,
      singular: textAt(names, 'singular') || kind.toLowerCase(),
      kind,
      listKind: textAt(names, 'listKind') || `${kind}List`,
      namespaced: textAt(definition, 'spec', 'scope') === 'Namespaced',
      shortNames: listAt(names, 'shortNames').map(String),
      categories: listAt(names, 'categories').map(String),
      bucket: `${group}/${plural}`,
      subresources: subresourcesOf(version),
      custom: {
        ...customParts(version),
        storage,
        ...(webhook !== null && { webhook }),
        ...(definition.metadata.deletionTimestamp !== undefined && { isEnding: true }),
      },
    }));
}

const schemaOf = (version: unknown): Schema => jsonAt(version, 'schema', 'openAPIV3Schema');

const subresourcesOf = (version: unknown): readonly Subresource[] =>
  (['status', 'scale'] as const).filter((name) => at(version, 'subresources', name) !== undefined);

function customParts(version: unknown): Omit<CustomParts, 'storage'> {
  const scale = at(version, 'subresources', 'scale');
  return {
    schema: schemaOf(version),
    columns: listAt(version, 'additionalPrinterColumns') as readonly PrinterColumn[],
    selectableFields: listAt(version, 'selectableFields').map((one) => textAt(one, 'jsonPath')),
    deprecated: at(version, 'deprecated') === true,
    deprecationWarning: textAt(version, 'deprecationWarning'),
    ...(isJson(scale) && {
      scale: {
        specReplicasPath: textAt(scale, 'specReplicasPath'),
        statusReplicasPath: textAt(scale, 'statusReplicasPath'),
        labelSelectorPath: textAt(scale, 'labelSelectorPath'),
      },
    }),
  };
}
