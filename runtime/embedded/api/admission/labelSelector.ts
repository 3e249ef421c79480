import { selects } from '../../nodes/expression.ts';
import { type Json, jsonAt, listAt } from '../json.ts';

type Holds = (labels: Json) => boolean;

/** A LabelSelector ready to be asked; null where it selects everything. */
export function labelSelector(selector: Json): Holds | null {
  const isEmpty =
    Object.keys(jsonAt(selector, 'matchLabels')).length === 0 && listAt(selector, 'matchExpressions').length === 0;
  return isEmpty ? null : (labels) => selects(selector, labels);
}
