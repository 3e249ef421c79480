import { StatusError } from '../status.ts';
import type { Entry, Manager } from './entries.ts';
import type { FieldSet, Path } from './fieldSet.ts';
import { pathsOf } from './fieldsV1.ts';
import { pathText } from './step.ts';

/** A field that an apply would take away from another manager. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly path: Path;
}

export const conflictsWith = (manager: Entry, fields: FieldSet): readonly FieldConflict[] =>
  pathsOf(fields).map((path) => ({ manager, path }));

function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const whole = JSON.stringify(name) + (subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`);
  return operation === 'Update' ? `${whole} using ${apiVersion}` : whole;
}

/** Refuses an apply with every field that is somebody else's. */
export function conflictError(conflicts: readonly FieldConflict[]): StatusError {
  const told = conflicts
    .map(({ manager, path }) => ({ manager: managerText(manager), field: pathText(path) }))
    .toSorted((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0));
  const causes = told.map(({ manager, field }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${manager}`,
    field,
  }));
  return new StatusError(409, 'Conflict', messageOf(told), { causes });
}

interface Told {
  readonly manager: string;
  readonly field: string;
}

function messageOf(told: readonly Told[]): string {
  const [first] = told;
  if (first && told.length === 1) return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  const managers = [...new Set(told.map(({ manager }) => manager))];
  const lines = managers.flatMap((manager) => [
    `conflicts with ${manager}:`,
    ...told.filter((one) => one.manager === manager).map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${told.length} conflicts: ${lines.join('\n')}`;
}
