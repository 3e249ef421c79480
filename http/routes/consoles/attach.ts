import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { Result } from 'effect';
import type { CoreConsoleSession } from '../../../crds/coreConsoleSession.ts';
import { actorOf } from '../../../rules/consoleSession/newSession.ts';
import type { AttachRefusal, AttachRequest, OpenTerminal } from '../../../runtime/terminals/terminal.ts';
import type { Terminals } from '../../../runtime/terminals/terminals.ts';
import { refuse } from '../../orThrow.ts';
import { hasBearer } from '../../auth/callers.ts';
import { type Access, callerIn } from '../../auth/guard.ts';
import { isSameOrigin } from '../../auth/origin.ts';
import { converse } from '../../console/converse.ts';
import { acceptSocket, checkHandshake, offersSocket } from '../../console/upgrades.ts';
import type { ServerContext } from '../../context.ts';

const statusOf: Readonly<Record<AttachRefusal, number>> = {
  originRefused: 403,
  sessionMissed: 404,
  lateAttachRefused: 410,
  secondAttachRefused: 409,
  attachGivenUp: 409,
  targetUnfit: 400,
  execRefused: 502,
  unavailable: 503,
  full: 503,
};

interface AttachOptions {
  readonly access: Access;
  readonly session: string;
  readonly isOf: (session: CoreConsoleSession) => boolean;
  readonly endpoint: AttachRequest['endpoint'];
}

/** Attaches to a session; a refusal ends the request. */
async function attached(
  ctx: RouterContext,
  { run, terminals }: ServerContext & { readonly terminals: Terminals },
  { access, ...wanted }: AttachOptions,
): Promise<OpenTerminal> {
  const { headers } = ctx.req;
  const request: AttachRequest = {
    ...wanted,
    byCookie: !hasBearer(headers),
    originMatches: isSameOrigin(headers),
    by: actorOf(callerIn(access).username),
    interactive: offersSocket(ctx),
  };
  const result = await run(terminals.attach(request));
  const found = Result.getOrThrow(result);
  if (found.is === 'open') return found.terminal;
  return refuse(ctx, statusOf[found.why], found.text);
}

type TerminalContext = ServerContext & { readonly terminals: Terminals };

/** A terminal over a WebSocket. */
export async function attachSocket(ctx: RouterContext, context: TerminalContext, wanted: AttachOptions): Promise<void> {
  checkHandshake(ctx);
  const terminal = await attached(ctx, context, wanted);
  acceptSocket(
    ctx,
    () => terminal.end('left'),
    (socket) => converse(socket, terminal, context.settings.pingMs),
  );
}

/** The output of the command of a session, without anybody who types. */
export async function attachStream(ctx: RouterContext, context: TerminalContext, wanted: AttachOptions): Promise<void> {
  const { stream, end, onEnd } = await attached(ctx, context, wanted);
  const output = new Readable({ read: () => stream.hold(false), destroy: (_, done) => (end('left'), done(null)) });
  ctx.set('Content-Type', 'application/octet-stream');
  ctx.body = output;
  stream.listen({
    output: (data) => {
      if (!output.push(data)) stream.hold(true);
    },
    drained: () => {},
    ended: (last) => {
      end(last.is === 'exited' ? 'exited' : 'broken');
      output.push(null);
    },
  });
  // Whatever ends it, what has come so far is sent.
  onEnd(() => void output.push(null));
}
