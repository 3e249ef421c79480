import { folded } from '../../views/transitions.ts';
import { Effect, Result } from 'effect';
import type { View } from '../../../rules/access/needs.ts';
import { isListed } from '../../../rules/redaction/redact.ts';
import { isOwn } from '../../../runtime/contract/controller.ts';
import { Journal } from '../../../runtime/services/journal.ts';
import { type InstanceAnswers, instanceAnswers } from '../instance.ts';
import { sendRead } from '../../response.ts';
import type { ServedInstance, ServedMachine } from './servedMachine.ts';
import type { ServerContext } from '../../context.ts';
import { tombstoneRead, tombstoneTransitions } from '../../views/tombstone.ts';
import { instancesIn } from '../../lists/instances.ts';
import { instanceRows, newestTraces, traceRows } from '../../lists/instanceRows.ts';
import { instanceRead } from '../../views/instance.ts';
import { machineReads } from '../../views/machine.ts';
import { isShown, type Kinds, ofEntry, type Placed } from '../../views/placed.ts';

/** A name among those of a kind that has the machine; there may be nothing of it. */
interface InstanceName {
  readonly placed: Placed;
  readonly name: string;
}

/** A machine whose instances are objects of one kind or of several. */
export function kindMachine(context: ServerContext, kinds: Kinds): ServedMachine {
  const { operator, run } = context;
  const [first, ...others] = kinds;
  const answers = new Map<Placed, InstanceAnswers>(kinds.map((placed) => [placed, instanceAnswers(context, placed)]));

  /** What is kept of the last object that had a name. */
  async function deleted({ placed, name }: InstanceName, view: View): Promise<ServedInstance | null> {
    const tombstones = await run(Effect.flatMap(Journal, ({ since }) => since(0)));
    const { kind } = placed.controller.resource;
    const last = Result.isSuccess(tombstones)
      ? tombstones.success.findLast((one) => one.kind === kind && one.name === name)
      : undefined;
    if (last === undefined) return null;
    return {
      read: (ctx) => sendRead(ctx, tombstoneRead(placed, last, view)),
      transitions: (ctx, isFolded = false) => {
        const moves = tombstoneTransitions(placed, last, view);
        sendRead(ctx, isFolded ? folded(moves) : moves);
      },
      explain: null,
      reconcile: null,
    };
  }

  /** An entry of a list, whose key comes after the name of its object. */
  function entry({ placed, name: id }: InstanceName, view: View): ServedInstance | null {
    const at = id.lastIndexOf(':');
    const one = at < 0 ? null : ofEntry(placed, id.slice(at + 1));
    const object = operator.caches.get(placed.controller.resource, id.slice(0, Math.max(at, 0)));
    if (one === null || object === undefined || !isShown(placed, view)) return null;
    if (one.lifecycle.item?.isIn(object) !== true) return null;
    const answering = instanceAnswers(context, one);
    return {
      read: (ctx) => sendRead(ctx, instanceRead(operator, one, object, view)),
      transitions: (ctx, isFolded) => answering.transitions(ctx, object, view, isFolded),
      explain: (ctx) => answering.explain(ctx, object, view),
      reconcile: (ctx) => answering.reconcile(ctx, object),
    };
  }

  function existing({ placed, name }: InstanceName, view: View): ServedInstance | null {
    const object = operator.caches.get(placed.controller.resource, name);
    const answering = answers.get(placed);
    if (object === undefined || answering === undefined) return null;
    return {
      read: (ctx) => sendRead(ctx, instanceRead(operator, placed, object, view)),
      transitions: (ctx, isFolded) => answering.transitions(ctx, object, view, isFolded),
      explain: (ctx) => answering.explain(ctx, object, view),
      reconcile: (ctx) => answering.reconcile(ctx, object),
    };
  }

  return {
    tabled: first,
    lifecycles: [first.lifecycle, ...others.map(({ lifecycle }) => lifecycle)],
    read: machineReads(operator, kinds),
    instances: instancesIn(operator, kinds, () => instanceRows(operator)),
    traces: instancesIn(operator, kinds, () => traceRows(operator)),
    newest: newestTraces(operator, kinds),
    find: (id, view) => {
      const [plural = '', ...rest] = id.split(':');
      const name = rest.join(':');
      const placed = kinds.find(
        ({ controller }) =>
          controller.resource.plural === plural && isListed(controller.resource.kind, view) && isOwn(controller, name),
      );
      if (!placed) return null;
      const wanted = { placed, name };
      return placed.entries ? entry(wanted, view) : (existing(wanted, view) ?? deleted(wanted, view));
    },
  };
}
