import type { Stored } from '../store.ts';
import { type Selectable, fieldRequirements } from './fieldSelector.ts';
import { type LabelRequirement, labelRequirements } from './labelSelector.ts';

/** Whether an object is selected. */
export type Selector = (object: Stored) => boolean;

/** What a request selects, and the part of it that an index answers. */
export interface Selection {
  readonly holds: Selector;
  /** Nothing without one of these values of the label is selected. */
  readonly labelled: NonNullable<LabelRequirement['labelled']> | null;
  /** Nothing of another name is selected. */
  readonly named: string | null;
}

/** Both selectors of a request as one; null selects everything. */
export function selectionOf(query: URLSearchParams, type: Selectable): Selection | null {
  const labels = labelRequirements(query.get('labelSelector') ?? '');
  const fields = fieldRequirements(query.get('fieldSelector') ?? '', type);
  const all = [...labels, ...fields];
  if (all.length === 0) return null;
  return {
    holds: (object) => all.every(({ holds }) => holds(object)),
    labelled: labels.find(({ labelled }) => labelled)?.labelled ?? null,
    named: fields.find(({ named }) => named !== undefined)?.named ?? null,
  };
}

/** Whether a request selects an object; null selects everything. */
export const selectorOf = (query: URLSearchParams, type: Selectable): Selector | null =>
  selectionOf(query, type)?.holds ?? null;
