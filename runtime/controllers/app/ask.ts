import { Effect } from 'effect';
import type { CoreApp } from '../../../crds/coreApp.ts';
import { known, unknown } from '../../../rules/fact.ts';
import { errorMessage } from '../../../rules/errorMessage.ts';
import type { ServiceResources } from './owned.ts';

/** Whether any object of a service remains, by a direct read. */
export const askRemains = (app: CoreApp, ownedResources: Pick<ServiceResources, 'remaining'>) =>
  ownedResources.remaining(app).pipe(
    Effect.map((left) => known(left.length > 0)),
    Effect.catch((error) => Effect.succeed(unknown(errorMessage(error)))),
  );
