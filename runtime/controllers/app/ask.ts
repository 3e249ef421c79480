import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { known, unknown } from '../../../rules/fact.ts';
import { why } from '../../services/why.ts';
import type { Pieces } from './owned.ts';

/** Whether any object of a service remains, by a direct read. */
export const askRemains = (app: CoreApp, pieces: Pick<Pieces, 'remaining'>) =>
  pieces.remaining(app).pipe(
    Effect.map((left) => known(left.length > 0)),
    Effect.catch((error) => Effect.succeed(unknown(why(error)))),
  );
