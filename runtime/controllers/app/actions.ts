import { Effect } from 'effect';
import type { AppStatus, CoreApp } from '../../../crds/coreApp.ts';
import type { ServiceAction } from '../../../machines/names.ts';
import { revisionOf } from '../../../rules/draftDeploy/stored.ts';
import { namespaceOf } from '../../../rules/project/environment.ts';
import { specOf } from '../../../rules/service/deployed.ts';
import type { ServiceFacts } from '../../../rules/service/facts.ts';
import { hindranceIn } from '../../../rules/service/hindrance.ts';
import { ActionFailed, type Acting, type Actions, patching } from '../../contract/lifecycle.ts';
import type { WriteError } from '../../services/cluster/cluster.ts';
import { why } from '../../services/why.ts';
import { attemptPatches } from '../provisioned/attempts.ts';
import { untilRightsHold } from '../provisioned/provisioning.ts';
import { buildOfSettings } from './observe/source.ts';
import type { Pieces } from './owned.ts';
import { unlessUnmanaged } from '../../owned/unlessUnmanaged.ts';

type Fields = { readonly [F in keyof AppStatus]?: AppStatus[F] | null };
type Acts = Acting<CoreApp, ServiceFacts>;

/** A call without an answer or with a conflict may succeed next time; a refused one needs somebody to fix the cause. */
const failedAs = (action: string) => (error: WriteError | ActionFailed) => {
  if (error._tag === 'ActionFailed') return error;
  const weight = error._tag === 'Away' || error._tag === 'Conflict' ? 'waiting' : 'counted';
  return new ActionFailed({ action, weight, text: why(error) });
};

/** What hinders it, in the words of Ready; null where nothing does. */
function hindranceText({ around, gate }: ServiceFacts): string | null {
  if (around.is !== 'known') return null;
  const seen = { ...around.value, gate };
  return hindranceIn(seen)?.message(seen).text ?? null;
}

const attempts = attemptPatches<CoreApp, ServiceFacts>({ messageOf: hindranceText, errorBegins: false });

const buildRefOf = ({ object, reader }: Acts): string =>
  buildOfSettings({ ...object, spec: specOf(object) }, reader)?.metadata.name ?? '';

/** An attempt, with the deploy and the build that it is about. */
function started(acting: Acts): Fields {
  const { provision } = attempts.startAttempt(acting);
  return { provision: { ...provision, buildRef: buildRefOf(acting), deploymentRef: revisionOf(acting.object) } };
}

/** The named actions of a service. */
export const serviceActions = (pieces: Pieces): Actions<ServiceAction, CoreApp, ServiceFacts, Fields> => ({
  ...patching(attempts),
  applyWorkload: { effect: applied(pieces) },
  deleteWorkload: {
    effect: Effect.fnUntraced(
      function* ({ object, reader }: Acts) {
        yield* pieces.remove(object, reader);
      },
      Effect.mapError(failedAs('deleteWorkload')),
    ),
  },
  startAttempt: { patch: started },
  attachBuild: {
    patch: (acting) => ({ provision: { ...acting.object.status?.provision, buildRef: buildRefOf(acting) } }),
  },
});

const applied = (pieces: Pieces) =>
  Effect.fnUntraced(
    function* ({ object, reader }: Acts) {
      const outcome = yield* pieces
        .apply(object, reader)
        .pipe(untilRightsHold('applyWorkload', namespaceOf(object.spec.project, object.spec.environment), reader));
      yield* unlessUnmanaged('applyWorkload')(outcome);
    },
    Effect.asVoid,
    Effect.mapError(failedAs('applyWorkload')),
  );
