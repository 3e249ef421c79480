import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { Table } from '../../machines/table.ts';
import type { View } from '../../rules/access/needs.ts';
import { isListed, isStatusListed } from '../../rules/redaction/redact.ts';
import { entryLifecycle, keysIn } from '../../runtime/step/entries.ts';
import type { AnyLifecycle } from '../../runtime/contract/lifecycle.ts';
import { isConcerned } from '../../runtime/step/standing.ts';
import type { Operator } from '../../runtime/operator.ts';
import type { OnRequest } from '../../runtime/step/onRequest.ts';
import { statesOf } from '../../runtime/step/machine.ts';
import type { Row } from '../routes/machines/shapes.ts';
import type { Tables } from '../context.ts';
import { type Controller, ownAmong } from '../../runtime/contract/controller.ts';
import type { AnyEntries } from '../../runtime/contract/list.ts';

/** Any machine: one whose instances are objects that passes process, or one that is decided on request. */
export type AnyMachine = AnyLifecycle | OnRequest;

/** One machine and its table: all its arrows, those from and to absence too. */
export interface Tabled extends Pick<Table, 'rows' | 'rests' | 'asked'> {
  readonly lifecycle: AnyMachine;
}

/** One machine with its table, and the kind it belongs to. */
export interface Placed extends Tabled {
  readonly controller: Controller;
  readonly lifecycle: AnyLifecycle;
  /** The list whose entries are its instances; absent where those are the objects themselves. */
  readonly entries?: AnyEntries;
}

/** Every machine the operator runs. */
export const placedMachines = (operator: Operator, tables: Tables): readonly Placed[] =>
  operator.controllers.flatMap((controller): readonly Placed[] => [
    ...controller.lifecycles.map((lifecycle) => ({ controller, ...tabled(lifecycle, tables) })),
    ...(controller.entries ?? []).map((of) => ({
      controller,
      entries: of,
      ...tabled(entryLifecycle(of, noItem), tables),
    })),
  ]);

/** Of a machine of entries that is about none of them. */
const noItem = '';

/** A machine over one object: itself, or once for each entry of its list. */
export const instancesOn = (placed: Placed, object: KubeObject): readonly Placed[] =>
  placed.entries === undefined
    ? [placed]
    : keysIn(placed.entries, object)
        .map((key) => ofEntry(placed, key))
        .filter((one) => one !== null);

/** The machine over the entry of a key; null where its instances are objects. */
export const ofEntry = (placed: Placed, key: string): Placed | null =>
  placed.entries === undefined ? null : { ...placed, lifecycle: entryLifecycle(placed.entries, key) };

/** Whether a move is of this machine, and of the entry that it is over. */
export const isMoveOf = ({ lifecycle: { name, item } }: Placed, move: HistoryEntry): boolean =>
  move.machine === name && move.item === item?.key;

/** A machine with its table. */
export function tabled<M extends AnyMachine>(lifecycle: M, tables: Tables): Tabled & { readonly lifecycle: M } {
  const { rows, absence, rests, asked } = tables[lifecycle.name] ?? noTable;
  const states = statesOf(lifecycle.machine);
  return { lifecycle, rows: [...rows, ...absence].map((row) => expanded(row, states)), rests, asked };
}

const noTable: Tables[string] = { rows: [], absence: [], rests: [], asked: [] };

/** `any` written out. */
const expanded = (row: Row, states: readonly string[]): Row =>
  row.from.includes('any') ? { ...row, from: states } : row;

/** One machine on each kind that has it. */
export type Kinds = readonly [Placed, ...(readonly Placed[])];

/** Every machine by its name: several kinds may have one of the same name. */
export function machinesByName(placed: readonly Placed[]): ReadonlyMap<string, Kinds> {
  const named = new Map<string, Kinds>();
  for (const one of placed) {
    const known = named.get(one.lifecycle.name);
    named.set(one.lifecycle.name, known ? [...known, one] : [one]);
  }
  return named;
}

/** What an instance is called: as its object, with the key of the entry where it is one. */
export const instanceName = ({ lifecycle: { item } }: Pick<Placed, 'lifecycle'>, name: string): string =>
  item === undefined ? name : `${name}:${item.key}`;

/** The id of an instance among those of its machine, which may be of several kinds. */
export const instanceId = (placed: Pick<Placed, 'controller' | 'lifecycle'>, name: string): string =>
  `${placed.controller.resource.plural}:${instanceName(placed, name)}`;

/** A machine of a kind; a missing one is a bug. */
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
export function objectsOf(operator: Operator, placed: Placed, view: View): readonly KubeObject[] {
  const { controller, lifecycle } = placed;
  const own = isShown(placed, view) ? ownAmong(controller, operator.caches.list(controller.resource)) : [];
  return lifecycle.concerns === undefined ? own : own.filter((object) => isConcerned(lifecycle, object));
}

/** Whether the lists of a view include the instances of a machine. */
export const isShown = ({ controller, entries }: Placed, view: View): boolean =>
  isListed(controller.resource.kind, view) &&
  (entries === undefined || isStatusListed(controller.resource.kind, entries.list, view));

/** What leads on from a state in which nothing more happens by itself; null in one that goes on. */
export const restsUntil = ({ rests }: Pick<Tabled, 'rests'>, state: string): string | null =>
  rests.find((rest) => rest.state === state)?.until ?? null;

/** The arrow of a move, if the table has it. */
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
