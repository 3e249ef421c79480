import type { Stored } from '../../store.ts';
import type { Json } from '../json.ts';
import type { ResourceType } from '../kinds/type.ts';
import { badRequest } from '../status.ts';
import { partial } from './partial.ts';
import { builtInColumns } from './builtIn.ts';
import { age } from './age.ts';
import { type Column, nameColumn } from './column.ts';
import { jsonPath } from './jsonPath.ts';

/** How much of an object each row of a table carries. */
export type Included = 'None' | 'Metadata' | 'Object';

export function includedOf(text: string | null): Included {
  if (text === null || text === '' || text === 'Metadata') return 'Metadata';
  if (text === 'None' || text === 'Object') return text;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(text)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

interface Options {
  readonly include: Included;
  readonly version: string;
  readonly withColumns: boolean;
  readonly [metadata: string]: unknown;
}

/** The objects as a table that kubectl prints as it is. */
export function tableOf(type: ResourceType, objects: readonly Stored[], options: Options): Json {
  const { include, version, withColumns, ...metadata } = options;
  const columns = columnsOf(type);
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: withColumns ? columns.map(definitionOf) : null,
    rows: objects.map((object) => ({
      cells: columns.map(({ cell }) => cell(object)),
      object: include === 'None' ? null : include === 'Object' ? object : partial(object, version),
    })),
  };
}

/** A table of which only the version counts: one row that stands for no object. */
export function bookmarkTable(type: ResourceType, object: object, { version, resourceVersion }: Bookmark): Json {
  const cells = columnsOf(type).map((_, index) => (index === 0 ? '' : null));
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: { resourceVersion },
    columnDefinitions: null,
    rows: [{ cells, object }],
  };
}

interface Bookmark {
  readonly version: string;
  readonly resourceVersion: string;
}

const definitionOf = ({ name, type, format = '', description = '', priority = 0 }: Column) => ({
  name,
  type,
  format,
  description,
  priority,
});

const columnsOf = (type: ResourceType): readonly Column[] =>
  type.custom ? customColumns(type) : (builtInColumns[type.kind] ?? [nameColumn, ageColumn]);

const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  description: 'Time since creation.',
  cell: ({ metadata }) => age(metadata.creationTimestamp),
};

function customColumns({ custom }: ResourceType): readonly Column[] {
  const declared = (custom?.columns ?? []).map((column): Column => {
    const find = jsonPath(column.jsonPath);
    const description =
      column.description ?? `Custom resource definition column (in JSONPath format): ${column.jsonPath}`;
    return { ...column, description, cell: (object) => customCell(column.type, find(object)[0]) };
  });
  return [nameColumn, ...(declared.length > 0 ? declared : [ageColumn])];
}

function customCell(type: string, value: unknown): unknown {
  if (value === undefined) return null;
  if (type === 'date') return age(value);
  if (type === 'integer') return typeof value === 'number' ? Math.trunc(value) : null;
  if (type === 'number') return typeof value === 'number' ? value : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
