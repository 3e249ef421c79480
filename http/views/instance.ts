import type { HistoryEntry, KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { redact } from '../../rules/redaction/redact.ts';
import { historyOf, newestMove } from '../../runtime/history.ts';
import type { Operator } from '../../runtime/operator.ts';
import { isPaused } from '../../runtime/standing.ts';
import { statusOf, withStatus } from '../../runtime/status.ts';
import type { Instance } from '../api.ts';
import { passesOf } from './passes.ts';
import type { Placed } from './placed.ts';

/** A state the machine does not know is told by the word that is stored. */
export const unrecognised = 'Unrecognised';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

type Fields = Readonly<Record<string, unknown>>;
interface Told {
  readonly spec: Fields;
  readonly status: Fields;
  readonly newest: HistoryEntry | undefined;
}

/** What a view is told of an object that a line of a list shows; of its moves only those, for a list is of many objects. */
function toldOf(
  kind: string,
  machine: string,
  { object, view }: { readonly object: KubeObject; readonly view: View },
): Told {
  const newest = newestMove(object, machine);
  const status = statusOf(object);
  const { spec = {} } = object as { readonly spec?: Fields };
  if (view === 'whole') return { spec, status, newest };
  const history = historyOf(object).filter((move) => move === newest || move.text === status['failureReason']);
  const told = redact(kind, withStatus(object, { history }), view);
  return { spec: told.spec as Fields, status: told.status as Fields, newest: newestMove(told, machine) };
}

/** One instance as a line of a list; where it stands is read from all that is stored, the rest is what a view is told. */
export function instanceOf(
  operator: Operator,
  { controller, lifecycle }: Placed,
  object: KubeObject,
  view: View,
): Instance {
  const { name, uid = '', creationTimestamp = '' } = object.metadata;
  const { spec, status, newest } = toldOf(controller.resource.kind, lifecycle.name, { object, view });
  const { failure: passFailure, ...look } = passesOf(operator, controller, name);
  return {
    name,
    uid,
    app: text(spec['app']),
    project: text(spec['project']),
    environment: text(spec['environment']),
    machine: lifecycle.name,
    state: lifecycle.read(object),
    shown: lifecycle.shown(object),
    since: newest?.at ?? creationTimestamp,
    reason: text(status['failureReason']) || (newest?.text ?? ''),
    retrying: lifecycle.retrying(object),
    paused: isPaused(object),
    commit: text(status['sourceRevision']),
    ...look,
    failures: passFailure === null ? null : (passFailure?.count ?? 0),
  };
}
