import type { KubeObject } from '../../crds/kind.ts';
import type { Table } from '../../machines/table.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed } from '../../rules/redaction/redact.ts';
import type { AnyLifecycle, Controller } from '../../runtime/lifecycle.ts';
import type { Operator } from '../../runtime/operator.ts';
import { statesOf } from '../../runtime/machine.ts';
import type { Row } from '../api.ts';
import type { Tables } from '../serving.ts';

/** One machine, the kind it belongs to, and its table. */
export interface Placed extends Pick<Table, 'rows' | 'rests' | 'asked'> {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
}

/** Every machine the operator runs. */
export const placedMachines = (operator: Operator, tables: Tables): readonly Placed[] =>
  operator.controllers.flatMap((controller) =>
    controller.lifecycles.map((lifecycle) => {
      const { rows, rests, asked } = tables[lifecycle.name] ?? noTable;
      const states = statesOf(lifecycle.machine);
      return { controller, lifecycle, rows: rows.map((row) => expanded(row, states)), rests, asked };
    }),
  );

const noTable: Tables[string] = { rows: [], rests: [], asked: [] };

/** `any` written out. */
const expanded = (row: Row, states: readonly string[]): Row =>
  row.from.includes('any') ? { ...row, from: states } : row;

/** The machine of that name; its absence is a mistake of ours. */
export function placedMachine(operator: Operator, tables: Tables, name: string): Placed {
  const found = placedMachines(operator, tables).find(({ lifecycle }) => lifecycle.name === name);
  if (!found) throw new Error(`nobody runs the machine ${name}`);
  return found;
}

/** A machine of a kind: several kinds may have one of the same name. */
export function placedOn(
  operator: Operator,
  tables: Tables,
  { kind, machine }: { readonly kind: string; readonly machine: string },
): Placed {
  const found = placedMachines(operator, tables).find(
    ({ controller, lifecycle }) => controller.resource.kind === kind && lifecycle.name === machine,
  );
  if (!found) throw new Error(`nobody runs the machine ${machine} of ${kind}`);
  return found;
}

/** The instances of a machine that are in the lists of a view. */
export const objectsOf = (operator: Operator, { controller }: Placed, view: View): readonly KubeObject[] =>
  isListed(controller.resource.kind, view) ? operator.caches.list(controller.resource) : [];

/** What leads on from a state in which nothing more happens by itself; null in one that goes on. */
export const restsUntil = ({ rests }: Pick<Placed, 'rests'>, state: string): string | null =>
  rests.find((rest) => rest.state === state)?.until ?? null;

/** The arrow a move took, as far as the table has one. */
export const rowOf = (
  rows: readonly Row[],
  move: { readonly from: string; readonly event: string; readonly to?: string },
): Row | undefined =>
  rows.find(
    ({ from, event, to }) =>
      event === move.event &&
      from.includes(move.from) &&
      (move.to === undefined || (to === 'same' ? move.from : to) === move.to),
  );
