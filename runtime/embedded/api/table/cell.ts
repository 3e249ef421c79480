import type { Stored } from '../../store.ts';
import { isJson, jsonAt, numberAt, textAt } from '../json.ts';
import { age } from './age.ts';
import type { Column } from './column.ts';

/** What stands in a cell of an object's row. */
export type Cell = (object: Stored) => unknown;

export const text = (name: string, cell: Cell): Column => ({ name, type: 'string', cell });
export const wide = (name: string, cell: Cell): Column => ({ name, type: 'string', priority: 1, cell });
export const number = (name: string, cell: Cell): Column => ({ name, type: 'integer', cell });
export const path =
  (...steps: readonly string[]): Cell =>
  (object) =>
    textAt(object, ...steps) || '<none>';
export const count =
  (...steps: readonly string[]): Cell =>
  (object) =>
    numberAt(object, ...steps);
export const size =
  (field: string): Cell =>
  (object) =>
    Object.keys(jsonAt(object, field)).length;
export const aged: Column = { name: 'Age', type: 'string', cell: ({ metadata }) => age(metadata.creationTimestamp) };
export const joined = (parts: readonly unknown[]) => parts.filter((part) => part !== '').join(',') || '<none>';

export const labelsText = (labels: unknown) =>
  joined(Object.entries(isJson(labels) ? labels : {}).map(([key, value]) => `${key}=${String(value)}`));
