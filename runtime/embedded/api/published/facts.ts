import table from './facts.json' with { type: 'json' };
import { metaV1 } from './definition.ts';

/** What is known of a field beyond the client's models: `key=value` words, by the names of the markers in the API. */
interface Facts {
  readonly list?: string;
  readonly map?: string;
  readonly patch?: string;
  readonly enum?: string;
  readonly go?: string;
  readonly default?: string;
}

interface Table {
  readonly enums: Readonly<Record<string, readonly string[]>>;
  readonly packages: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;
}
const known: Table = table;

/** The types of each package of the API. */
export const packages = Object.entries(known.packages).map(([name, types]) => ({ name, types: Object.keys(types) }));

export const factsOf = (packageName: string, type: string, field: string): Facts =>
  Object.fromEntries(
    (known.packages[packageName]?.[type]?.[field] ?? '')
      .split(' ')
      .filter((word) => word !== '')
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );

/** How the fields of a type are merged when another applies it: `atomic` for all at once. */
export const mapTypeOf = (packageName: string, type: string): string | undefined =>
  known.packages[packageName]?.[type]?.[''];

export const enumValues = (name: string): readonly string[] => known.enums[name] ?? [];

/** The class of the client that a type is modelled by: its group is named where several have a type of that name. */
export function classNames(packageName: string, type: string): readonly string[] {
  const [version = '', group = ''] = packageName.split('.').toReversed();
  const prefix = packageName === metaV1 ? '' : `${group.charAt(0).toUpperCase()}${group.slice(1)}`;
  return [`${prefix}${version.toUpperCase()}${type}`, `${version.toUpperCase()}${type}`];
}
