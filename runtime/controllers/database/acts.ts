import { Effect } from 'effect';
import type { CoreDatabase } from '../../../crds/coreDatabase.ts';
import type { DatabaseImages } from '../../../rules/database/images.ts';
import type { DatabaseFacts } from '../../../rules/database/facts.ts';
import { runningSpec } from '../../../rules/draftDeploy/running.ts';
import { weightOf } from '../../../rules/provision/weight.ts';
import { ActionFailed, type Acting } from '../../lifecycle.ts';
import type { Outcome } from '../../owned/owned.ts';
import type { Gone, WriteError } from '../../services/cluster.ts';
import { why } from '../../services/why.ts';
import { settledLogin } from './login.ts';
import { installOperator } from './operator.ts';
import type { Pieces } from './pieces.ts';
import { growClaims, removeClaims } from './volumes.ts';

type Acts = Acting<CoreDatabase, DatabaseFacts>;

/** A call without an answer or with a conflict may succeed next time; one that is refused ends or counts. */
export const failedAs = (action: string) => (error: WriteError | Gone | ActionFailed) =>
  error._tag === 'ActionFailed'
    ? error
    : new ActionFailed({
        action,
        weight: weightOf(error),
        text: isOperatorComing(error) ? operatorInstalls : why(error),
      });

const operatorInstalls = 'Installing Postgres operator chart';
/** The operator for Postgres registers its webhook before it answers there. */
const isOperatorComing = (error: WriteError | Gone) => error._tag === 'Away' && /webhook.*cnpg/.test(error.why);

/** Fails where an object that is not Core's has the name of ours. */
export const unlessForeign = (action: string) =>
  Effect.flatMap(({ left: { foreign } }: Outcome) =>
    foreign[0] === undefined
      ? Effect.void
      : Effect.fail(new ActionFailed({ action, weight: 'counted', text: foreign[0] })),
  );

/** What the named actions of a database do outside, before the state may be written. */
export function databaseActs(pieces: Pieces, images: DatabaseImages) {
  const applying = (action: string, apply: Pieces['applyAll']) =>
    Effect.fnUntraced(
      function* ({ object, reader, facts }: Acts) {
        const spec = runningSpec(facts.gate, object);
        if (spec === null) return undefined;
        const login = yield* settledLogin(object, spec, reader);
        if (spec.engine === 'Postgres') yield* installOperator(reader, images);
        yield* apply(object, reader, { spec, login }).pipe(unlessForeign(action));
        yield* growClaims(object, spec, reader);
        return undefined;
      },
      Effect.mapError(failedAs(action)),
    );

  return {
    applyWorkload: applying('applyWorkload', pieces.applyWorkload),
    writeConnection: applying('writeConnection', pieces.applyAll),
    deleteWorkload: Effect.fnUntraced(
      function* ({ object, reader }: Acts) {
        yield* pieces.remove(object, reader);
        yield* removeClaims(object, reader);
        // After this the object goes, and nothing would come back for what it left.
        if (object.status?.phase !== 'FinalBackup') return;
        const left = yield* pieces
          .remaining(object, reader)
          .pipe(Effect.catchTag('Gone', () => Effect.succeed(['the rest'])));
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
