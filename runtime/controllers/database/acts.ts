import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import { ActionFailed, type Acting } from '../../lifecycle.ts';
import type { Outcome } from '../../owned/owned.ts';
import type { WriteError } from '../../services/cluster.ts';
import { why } from '../../services/why.ts';
import { settledLogin } from './login.ts';
import type { Pieces } from './pieces.ts';

type Acts = Acting<CoreDatabase, DatabaseFacts>;

/** A call without an answer or with a conflict may succeed next time; a refused one needs somebody to fix the cause. */
const failedAs = (action: string) => (error: WriteError | ActionFailed) => {
  if (error._tag === 'ActionFailed') return error;
  const weight = error._tag === 'Away' || error._tag === 'Conflict' ? 'waiting' : 'counted';
  return new ActionFailed({ action, weight, text: why(error) });
};

/** Fails where an object that is not Core's has the name of ours. */
const unlessForeign = (action: string) =>
  Effect.flatMap(({ left: { foreign } }: Outcome) =>
    foreign[0] === undefined
      ? Effect.void
      : Effect.fail(new ActionFailed({ action, weight: 'counted', text: foreign[0] })),
  );

/** What the named actions of a database do outside, before the state may be written. */
export function databaseActs(pieces: Pieces) {
  const applying = (action: string, apply: Pieces['applyAll']) =>
    Effect.fnUntraced(
      function* ({ object, reader, facts }: Acts) {
        const spec = runningSpec(facts.gate, object);
        if (spec === null) return undefined;
        const login = yield* settledLogin(object, spec, reader);
        return yield* apply(object, reader, { spec, login }).pipe(unlessForeign(action));
      },
      Effect.mapError(failedAs(action)),
    );

  return {
    applyWorkload: applying('applyWorkload', pieces.applyWorkload),
    writeConnection: applying('writeConnection', pieces.applyAll),
    deleteWorkload: Effect.fnUntraced(
      function* ({ object, reader }: Acts) {
        yield* pieces.remove(object, reader);
        // After this the object goes, and nothing would come back for what it left.
        if (object.status?.phase !== 'FinalBackup') return;
        const left = yield* pieces.remaining(object).pipe(Effect.catchTag('Gone', () => Effect.succeed(['the rest'])));
        if (left.length > 0)
          yield* new ActionFailed({
            action: 'deleteWorkload',
            weight: 'waiting',
            text: `${left.join(', ')} is still being deleted`,
          });
      },
      Effect.mapError(failedAs('deleteWorkload')),
    ),
  };
}
