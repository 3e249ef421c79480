import { StatusError, mostFaults } from '../status.ts';
import type { Manager } from './entries.ts';
import { type FieldSet, sizeOf } from './fieldSet.ts';
import { pathsOf } from './fieldsV1.ts';
import { pathText } from './step.ts';

/** The fields that an apply would take away from another manager. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const whole = JSON.stringify(name) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${whole} using ${apiVersion}` : whole;
}

/** Refuses an apply with the fields that are somebody else's. */
export function conflictError(conflicts: readonly FieldConflict[]): StatusError {
  const all = conflicts.map(({ manager, fields }) => ({ manager: managerText(manager), fields })).toSorted(byManager);
  const count = all.reduce((sum, { fields }) => sum + sizeOf(fields), 0);
  const listed = [...firstOf(all)];
  const causes = listed.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return new StatusError(409, 'Conflict', messageOf(listed, count), { causes });
}

interface OfManager {
  readonly manager: string;
  readonly fields: FieldSet;
}

interface Conflicting {
  readonly manager: string;
  readonly field: string;
}

const byManager = (a: OfManager, b: OfManager) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0);

function* firstOf(all: readonly OfManager[]): Generator<Conflicting> {
  let left = mostFaults;
  for (const { manager, fields } of all)
    for (const path of pathsOf(fields)) {
      if (left === 0) return;
      left -= 1;
      yield { manager, field: pathText(path) };
    }
}

function messageOf(conflicts: readonly Conflicting[], count: number): string {
  const [first] = conflicts;
  if (first && count === 1) return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  const managers = [...new Set(conflicts.map(({ manager }) => manager))];
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...conflicts.filter((one) => one.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  const more = count > conflicts.length ? [`and ${count - conflicts.length} more`] : [];
  return `Apply failed with ${count} conflicts: ${[...lines, ...more].join('\n')}`;
}
