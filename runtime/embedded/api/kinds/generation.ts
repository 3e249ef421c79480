import type { Stored } from '../../store.ts';
import { type Json, same } from '../json.ts';
import { uncounted } from '../store/objects.ts';
import type { ResourceType } from './type.ts';

/** A new object of a declared kind is of the first generation; one of a built-in kind only where its spec is counted. */
export const firstGeneration = ({ custom, kind }: ResourceType, object: Json): number | undefined =>
  custom !== undefined || ('spec' in object && !uncounted.has(kind)) ? 1 : undefined;

/** The generation of a declared kind counts every change of what is neither metadata nor a status written apart. */
export function nextGeneration({ custom, subresources }: ResourceType, old: Stored, next: Json): number | undefined {
  const { generation } = old.metadata;
  if (custom === undefined || generation === undefined) return generation;
  const counts = (field: string) => field !== 'metadata' && !(field === 'status' && subresources.includes('status'));
  const fields = new Set([...Object.keys(old), ...Object.keys(next)]);
  const isSame = [...fields].every((field) => !counts(field) || same(old[field], next[field]));
  return isSame ? generation : generation + 1;
}
