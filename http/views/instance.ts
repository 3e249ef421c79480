import type { KubeObject } from '../../crds/kind.ts';
import type { View } from '../../rules/access/needs.ts';
import { redact } from '../../rules/redaction/redact.ts';
import { newestMove } from '../../runtime/history.ts';
import type { Operator } from '../../runtime/operator.ts';
import { isPaused } from '../../runtime/pass.ts';
import type { Instance } from '../api.ts';
import { passesOf } from './passes.ts';
import type { Placed } from './placed.ts';

/** A state the machine does not know is told by the word that is stored. */
export const unrecognised = 'Unrecognised';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One instance as a line of a list; where it stands is read from all that is stored, the rest is what a view is told. */
export function instanceOf(
  operator: Operator,
  { controller, lifecycle }: Placed,
  object: KubeObject,
  view: View,
): Instance {
  const { name, uid = '', creationTimestamp = '' } = object.metadata;
  const told = redact(controller.resource.kind, object, view);
  const { spec, status } = told as Readonly<Record<'spec' | 'status', Readonly<Record<string, unknown>>>>;
  const newest = newestMove(told, lifecycle.name);
  const { failure, ...look } = passesOf(operator, controller, name);
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
    failures: failure === null ? null : (failure?.count ?? 0),
  };
}
