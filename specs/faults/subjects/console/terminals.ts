import { type Context, Effect, Exit, Scope } from 'effect';
import type { CoreApp } from '../../../../crds/coreApp.ts';
import { coreApp } from '../../../../crds/coreApp.ts';
import { typeMeta } from '../../../../crds/kind.ts';
import { apps } from '../../../../runtime/services/cluster/kinds.ts';
import type { Cluster } from '../../../../runtime/services/cluster/cluster.ts';
import type { Exec } from '../../../../runtime/services/exec.ts';
import type { Holders } from '../../../../runtime/controllers/consoleSession/observe.ts';
import type { OpenTerminal } from '../../../../runtime/terminals/terminal.ts';
import { makeTerminals } from '../../../../runtime/terminals/terminals.ts';
import { container, putCopy } from '../../../support/copies.ts';
import { inSystem } from '../../../support/project.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Beside, BesideGiven } from '../subject.ts';

/** How a client leaves its terminal. */
export type Leaving = 'by itself' | 'by the shell' | 'never' | 'as one of two';

/** Who attaches, which is not who made the session. */
export const attacher = 'token:shell';

const againMs = 5_000;
const staysMs = 20_000;
/** What a client that is refused may hope for: the holder is dead, or the process is full. */
const hopeful: readonly string[] = ['unavailable', 'secondAttachRefused', 'attachGivenUp', 'execRefused', 'full'];

/** A service with one running copy. */
export function putTarget(environment: TestEnvironment): void {
  const app: CoreApp = {
    ...typeMeta(coreApp),
    metadata: inSystem('web'),
    spec: { project: 'shop', environment: 'production', source: { image: 'nginx' }, deploy: { enabled: true } },
  };
  environment.cluster.put(apps, app);
  putCopy(environment, { app: 'web', name: 'web-1' });
}
export const target = { app: 'web', project: 'shop', environment: 'production', pod: 'web-1', container };

/** The terminals of one process, and the clients that it is asked to serve. */
export async function terminalsBeside(
  { operator, services, environment }: BesideGiven,
  holders: Holders,
): Promise<Beside> {
  const own = services as Context.Context<unknown> as Context.Context<Cluster | Exec>;
  const scope = Scope.makeUnsafe();
  const run = <A>(effect: Effect.Effect<A, never, Cluster | Exec | Scope.Scope>) =>
    Effect.runPromise(effect.pipe(Effect.provideService(Scope.Scope, scope), Effect.provideContext(own)));
  const log = (_: string, message: string, fields: object = {}) =>
    void environment.logged.push(`Info ${JSON.stringify([message, fields])}`);
  const terminals = await run(makeTerminals({ operator, holders, log }));

  const stays = Effect.fnUntraced(function* (terminal: OpenTerminal, leaving: Leaving) {
    const ended = Effect.callback<void>((resume) => terminal.onEnd(() => resume(Effect.void)));
    terminal.stream.listen({ output: () => {}, drained: () => {}, ended: () => terminal.end('exited') });
    if (leaving === 'never') return yield* ended;
    yield* Effect.raceFirst(Effect.sleep(staysMs), ended);
    if (leaving === 'by the shell') terminal.stream.write(Buffer.from('exit\n'));
    else terminal.end('left');
    yield* ended;
  });
  const client = Effect.fnUntraced(function* (leaving: Leaving) {
    const request = {
      session: 'shell',
      isOf: () => true,
      byCookie: false,
      originMatches: true,
      by: attacher,
      endpoint: 'terminal',
      interactive: true,
    } as const;
    for (;;) {
      const attached = yield* terminals.attach(request);
      if (attached.is === 'open') return yield* stays(attached.terminal, leaving);
      if (!hopeful.includes(attached.why)) return;
      yield* Effect.sleep(againMs);
    }
  });
  return {
    asked: (leaving) => {
      const one = client(leaving as Leaving);
      return run(leaving === 'as one of two' ? Effect.all([one, one], { concurrency: 2, discard: true }) : one);
    },
    crash: () => run(Scope.close(scope, Exit.void)),
  };
}
