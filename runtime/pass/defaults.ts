import { Clock, Effect } from 'effect';
import type { KubeObject } from '../../crds/kind.ts';
import { sharing } from '../cache/sharing.ts';
import type { PassContext } from '../contract/context.ts';
import type { Controller } from '../contract/controller.ts';
import { asSeen, Cluster, type WriteError } from '../services/cluster/cluster.ts';

/** Adds fields missing after an upgrade or a manual edit; written before anything else in a pass. */
export const adopted = Effect.fnUntraced(function* (
  controller: Controller,
  object: KubeObject,
  context: PassContext,
): Effect.fn.Return<KubeObject, WriteError, Cluster> {
  const now = yield* Clock.currentTimeMillis;
  const patch = controller.defaults?.(object, context.reader, now) ?? null;
  if (patch === null) return object;
  const cluster = yield* Cluster;
  const answer = yield* cluster.patch(controller.resource, { name: object.metadata.name }, patch, asSeen(object));
  const written = sharing(answer, object);
  context.wrote(written);
  return written;
});
