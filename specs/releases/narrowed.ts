import type { CustomResourceDefinition } from '../../crds/manifest.ts';
import type { Schema } from '../../crds/schema.ts';
import { isSameJson } from '../../rules/sameJson.ts';

/** What must stay as it is, because clients and stored objects depend on it. */
const fixed = [
  'type',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
] as const;
/** What may go, and may not come or change. */
const loosened = ['format', 'pattern'] as const;
/** What may go or grow, and may not come. */
const upTo = ['maximum', 'maxLength', 'maxItems'] as const;
/** What may go or shrink, and may not come. */
const from = ['minimum', 'minLength', 'minItems'] as const;

const rulesOf = (schema: Schema) => (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => rule);
const added = <A>(old: readonly A[] | undefined, now: readonly A[] | undefined): readonly A[] =>
  (now ?? []).filter((one) => !(old ?? []).includes(one));

/** What of the schema itself now refuses values that it took. */
function narrowings(old: Schema, now: Schema): readonly string[] {
  const isLess = (name: (typeof upTo)[number]) => now[name] !== undefined && now[name] < (old[name] ?? Infinity);
  const isMore = (name: (typeof from)[number]) => now[name] !== undefined && now[name] > (old[name] ?? -Infinity);
  const losesWords = now.enum !== undefined && (old.enum === undefined || added(now.enum, old.enum).length > 0);
  return [
    ...fixed.filter((name) => !isSameJson(old[name] ?? null, now[name] ?? null)),
    ...loosened.filter((name) => now[name] !== undefined && now[name] !== old[name]),
    ...upTo.filter(isLess),
    ...from.filter(isMore),
    ...(losesWords ? ['enum'] : []),
    ...(old.nullable === true && now.nullable !== true ? ['nullable'] : []),
    ...(isSameJson(old.anyOf ?? null, now.anyOf ?? null) ? [] : ['anyOf']),
    ...added(old.required, now.required).map((name) => `requires ${name}`),
    ...added(rulesOf(old), rulesOf(now)).map((rule) => `rule ${rule}`),
  ];
}

/**
 * What a schema no longer has or takes of an older one, as `path: what`. A new field may say what it likes, and a
 * default may change.
 */
export function schemaNarrowed(old: Schema, now: Schema | undefined, path = ''): readonly string[] {
  if (!now) return [`${path}: removed`];
  const below = Object.entries(old.properties ?? {}).flatMap(([name, one]) =>
    schemaNarrowed(one, now.properties?.[name], path === '' ? name : `${path}.${name}`),
  );
  const items = old.items ? schemaNarrowed(old.items, now.items, `${path}[]`) : [];
  const values = old.additionalProperties
    ? schemaNarrowed(old.additionalProperties, now.additionalProperties, `${path}{}`)
    : [];
  return [...narrowings(old, now).map((what) => `${path}: ${what}`), ...below, ...items, ...values];
}

type Version = CustomResourceDefinition['spec']['versions'][number];

function versionNarrowed(old: Version, now: Version | undefined): readonly string[] {
  if (now?.served !== true) return [`${old.name}: not served`];
  const subresources = isSameJson(old.subresources ?? null, now.subresources ?? null) ? [] : ['subresources'];
  return [...subresources, ...schemaNarrowed(old.schema.openAPIV3Schema, now.schema.openAPIV3Schema)];
}

/** What a definition no longer has or takes of an older one. */
export function narrowed(old: CustomResourceDefinition, now: CustomResourceDefinition | undefined): readonly string[] {
  if (!now) return ['no such kind'];
  const { plural, singular, kind, shortNames } = old.spec.names;
  const names = { plural, singular, kind, shortNames };
  const { names: nowNamed } = now.spec;
  const isNamed = isSameJson(names, {
    plural: nowNamed.plural,
    singular: nowNamed.singular,
    kind: nowNamed.kind,
    shortNames: nowNamed.shortNames,
  });
  return [
    ...(isNamed && old.spec.scope === now.spec.scope ? [] : ['names']),
    ...old.spec.versions.flatMap((version) =>
      versionNarrowed(
        version,
        now.spec.versions.find(({ name }) => name === version.name),
      ),
    ),
  ];
}
