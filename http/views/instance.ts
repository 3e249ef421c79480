import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { redact } from '../../rules/redaction/redact.ts';
import { entriesIn } from '../../runtime/step/entries.ts';
import { historyOf, newestMove } from '../../runtime/step/history.ts';
import type { Operator } from '../../runtime/operator.ts';
import { isConcerned, isPaused, stateOf } from '../../runtime/step/standing.ts';
import { statusOf, withStatus } from '../../runtime/step/status.ts';
import type { Instance, InstanceRead } from '../routes/machines/shapes.ts';
import { columnsOf, reasonIn, text, type RedactedFields } from './line.ts';
import { shownIn } from './machine.ts';
import { type NextCheck, passesOf } from './passes.ts';
import { instanceId, instanceName, type Placed } from './placed.ts';

interface LineFields extends RedactedFields {
  readonly newest: HistoryEntry | undefined;
}

/**
 * The redacted fields of an object for a line of a list; only the moves that the line shows, because a list has many
 * objects.
 */
function lineFieldsOf(
  placed: Placed,
  { object, view }: { readonly object: KubeObject; readonly view: View },
): LineFields {
  const { kind } = placed.controller.resource;
  const newest = newestMoveOf(placed, object);
  const status = statusOf(object);
  const { spec = {} } = object as { readonly spec?: LineFields['spec'] };
  if (view === 'whole') return { spec, status, newest };
  const history = historyOf(object).filter((move) => move === newest || move.text === reasonIn(kind, status));
  const copy = redact(kind, withStatus(object, { history }), view);
  return {
    spec: copy.spec as LineFields['spec'],
    status: copy.status as LineFields['status'],
    // The copy of a move does not name its entry.
    newest: historyOf(copy).find(({ seq }) => seq === newest?.seq),
  };
}

const newestMoveOf = ({ lifecycle: { name, item } }: Placed, object: KubeObject) => newestMove(object, name, item?.key);

/** What a line shows of an entry. */
function entryColumns({ entries, lifecycle: { item } }: Placed, object: KubeObject): Instance['columns'] {
  const entry = entries && item && entriesIn(entries, object).find((one) => one[entries.key] === item.key);
  return entries && entry ? entries.columns(entry, object) : {};
}

/** An instance without what is known of its passes: all that its object says. */
export type InstanceLine = Omit<Instance, keyof PassFields>;

/** What an instance shows of the passes of its object. */
type PassFields = Pick<Instance, keyof NextCheck | 'failures'>;

/** What is known of the passes of an object, for its instances. */
export function passFieldsOf(operator: Operator, placed: Placed, name: string): PassFields {
  const { failure, ...nextCheck } = passesOf(operator, placed.controller, name);
  return { ...nextCheck, failures: failure === null ? null : (failure?.count ?? 0) };
}

/** One instance as a line of a list. */
export const instanceOf = (operator: Operator, placed: Placed, object: KubeObject, view: View): Instance => ({
  ...instanceLine(placed, object, view),
  ...passFieldsOf(operator, placed, object.metadata.name),
});

/** Its state is read from the whole object, the other fields from the redacted copy. */
export function instanceLine(placed: Placed, object: KubeObject, view: View): InstanceLine {
  const { controller, lifecycle } = placed;
  const { kind } = controller.resource;
  const { name, uid = '', creationTimestamp = '' } = object.metadata;
  const { newest, ...copy } = lineFieldsOf(placed, { object, view });
  return {
    id: instanceId(placed, name),
    kind,
    name: instanceName(placed, name),
    uid,
    project: text(copy.spec['project']),
    environment: text(copy.spec['environment']),
    machine: lifecycle.name,
    state: stateOf(lifecycle, object),
    shown: shownIn(lifecycle, object),
    since: newest?.at ?? creationTimestamp,
    reason: (placed.entries ? '' : reasonIn(kind, copy.status)) || (newest?.text ?? ''),
    retrying: lifecycle.retrying(object),
    paused: isPaused(object),
    columns: placed.entries ? entryColumns(placed, object) : columnsOf(kind, copy),
  };
}

/** One instance by itself, with the states of its object's other machines. */
export function instanceRead(operator: Operator, placed: Placed, object: KubeObject, view: View): InstanceRead {
  const others = placed.controller.lifecycles.filter(
    (one) => one.name !== placed.lifecycle.name && isConcerned(one, object),
  );
  return {
    ...instanceOf(operator, placed, object, view),
    others: others.map((lifecycle) => ({
      machine: lifecycle.name,
      state: stateOf(lifecycle, object),
      shown: shownIn(lifecycle, object),
      since: newestMove(object, lifecycle.name)?.at ?? object.metadata.creationTimestamp ?? '',
    })),
  };
}
