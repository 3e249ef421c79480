import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import type { ServiceAction } from '../../../machines/names.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import type { ServiceFacts } from '../../../rules/service/facts.ts';
import { failedBy } from '../../contract/failedBy.ts';
import type { ActionFailed, Acting } from '../../contract/lifecycle.ts';
import type { WriteError } from '../../services/cluster/cluster.ts';
import type { AttemptAction, OwnActions } from '../provisioned/actions.ts';
import { untilRightsHold } from '../provisioned/rights.ts';
import type { ServiceResources } from './owned.ts';
import { unlessUnmanaged } from '../../owned/unlessUnmanaged.ts';

type Acts = Acting<CoreApp, ServiceFacts>;

/** A call without a response or with a conflict may succeed later; a refused one needs its cause fixed. */
const failedAs = (action: string) => (error: WriteError | ActionFailed) => {
  if (error._tag === 'ActionFailed') return error;
  const retry = error._tag === 'Unavailable' || error._tag === 'Conflict' ? 'waiting' : 'counted';
  return failedBy(action, retry, error);
};

/** The named actions of a service. */
export const serviceActions = (
  ownedResources: ServiceResources,
): OwnActions<Exclude<ServiceAction, AttemptAction | 'attachBuild'>, CoreApp, ServiceFacts> => ({
  applyWorkload: { effect: applied(ownedResources) },
  deleteWorkload: {
    effect: Effect.fnUntraced(
      function* ({ object, reader }: Acts) {
        yield* ownedResources.remove(object, reader);
      },
      Effect.mapError(failedAs('deleteWorkload')),
    ),
  },
});

const applied = (ownedResources: ServiceResources) =>
  Effect.fnUntraced(
    function* ({ object, reader }: Acts) {
      const outcome = yield* ownedResources
        .apply(object, reader)
        .pipe(untilRightsHold('applyWorkload', namespaceOf(object.spec.project, object.spec.environment), reader));
      yield* unlessUnmanaged('applyWorkload')(outcome);
    },
    Effect.asVoid,
    Effect.mapError(failedAs('applyWorkload')),
  );
