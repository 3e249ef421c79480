import type { Stored } from '../../store.ts';

/** A column of a table and what stands in it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly cell: (object: Stored) => unknown;
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
  cell: ({ metadata }) => metadata.name,
};
