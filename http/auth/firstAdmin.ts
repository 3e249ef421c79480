import { Effect } from 'effect';
import type { Secret } from '../../crds/builtIn.ts';
import { type Controller, controller } from '../../runtime/contract/controller.ts';
import { secrets } from '../../runtime/services/cluster/resources.ts';
import type { Cluster, WriteError } from '../../runtime/services/cluster/cluster.ts';
import type { Log } from '../log.ts';
import { authSecret } from './directory.ts';
import type { BadPassword, Seeded } from './seed.ts';
import { ServiceFailed } from '../../runtime/contract/ensure.ts';

interface FirstAdminParts {
  /** Creates the first admin and the session key, unless they exist. */
  readonly seed: Effect.Effect<Seeded, WriteError | BadPassword, Cluster>;
  readonly seeded: (seeded: Seeded) => void;
  readonly log: Log;
}

/** Seeds again whenever the sign-in Secret is removed. */
export const firstAdminController = ({ seed, seeded, log }: FirstAdminParts): Controller =>
  controller<Secret>({
    resource: secrets,
    name: 'firstAdmin',
    owns: (name) => name === authSecret,
    expects: [authSecret],
    lifecycles: [],
    watches: [],
    ensures: {},
    onMissing: () =>
      seed.pipe(
        Effect.catchTag('BadPassword', ({ message }) => Effect.fail(new ServiceFailed({ message }))),
        Effect.map((done) => {
          if (!done.isMade) return;
          log('info', 'recreated sign-in Secret; all sessions ended');
          seeded(done);
        }),
      ),
  });
