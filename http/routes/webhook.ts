import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Router, RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import type { BuildAsked } from '../../rules/build/facts.ts';
import { isConcerned, type Push, pushOf } from '../../rules/app/push.ts';
import { apps } from '../../runtime/kinds.ts';
import { answer, type Failure, refuse } from '../answer.ts';
import { sendJson } from '../json.ts';
import { rawBody } from '../rawBody.ts';
import type { Serving } from '../serving.ts';
import { currentBuildOf } from '../views/build.ts';
import { placedMachine } from '../views/placed.ts';

const bodyAtMost = 25 * 1024 * 1024;
const deliveriesKept = 1_000;

/** HMAC-SHA256 over the raw body, compared in constant time (decision 129). */
export function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const made = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return made.length === given.length && timingSafeEqual(made, given);
}

type Rebuilt = Promise<Result.Result<readonly string[], Failure>>;

/** Events of the Git host: a push builds the current build of each service it concerns anew. */
export function webhookRoutes(router: Router, serving: Serving): void {
  const { operator, settings, run } = serving;
  const deliveries = new Map<string, Rebuilt>();

  router.post('/webhooks/git', async function gitEvent(ctx) {
    const body = await rawBody(ctx, bodyAtMost);
    const secret = settings.webhookSecret();
    if (secret === null) serving.log('warn', 'the Git host sent an event, but there is no webhook secret to check it');
    if (!secret || !isSigned(body, ctx.get('x-hub-signature-256'), secret))
      return refuse(ctx, 401, 'the signature is missing or wrong');
    const event = ctx.get('x-github-event');
    if (event !== 'push') return sendJson(ctx, { note: `${event || 'an event without a name'} is not acted on` }, 202);
    const push = pushOf(payloadIn(ctx, body));
    const rebuilt = answer(ctx, push === null ? Result.succeed([]) : await once(ctx.get('x-github-delivery'), push));
    return sendJson(ctx, { rebuilt });
  });

  /** The same delivery again, even while the first is being worked on, is answered as the first and moves nothing. */
  function once(delivery: string, push: Push): Rebuilt {
    const known = delivery === '' ? undefined : deliveries.get(delivery);
    if (known) return known;
    const rebuilding = rebuild(push);
    if (delivery === '') return rebuilding;
    deliveries.set(delivery, rebuilding);
    const [oldest] = deliveries.keys();
    if (deliveries.size > deliveriesKept && oldest !== undefined) deliveries.delete(oldest);
    return rebuilding.then((result) => {
      // What failed may be delivered again.
      if (Result.isFailure(result)) deliveries.delete(delivery);
      return result;
    });
  }

  function rebuild(push: Push): Rebuilt {
    const { controller, lifecycle } = placedMachine(operator, settings.machines, 'build');
    const names = operator.caches
      .list(apps)
      .filter((app) => isConcerned(app, push, settings.gitUrl))
      .flatMap(({ metadata }) => currentBuildOf(operator.caches, metadata.name)?.metadata.name ?? [])
      .toSorted();
    const by = push.pusher === '' ? '' : ` by ${push.pusher}`;
    const what = `${push.branch} was pushed to ${push.commit.slice(0, 12)}${by}`;
    const asked: BuildAsked = { is: 'push', what };
    const moves = names.map((name) =>
      operator.move(controller, lifecycle, name, { asked, by: 'webhook' }).pipe(
        Effect.as([name]),
        // Deleted in between: what the service makes next builds this commit anyway.
        Effect.catchTag('NotFound', () => Effect.succeed<readonly string[]>([])),
      ),
    );
    return run(Effect.map(Effect.all(moves, { concurrency: 8 }), (done) => done.flat()));
  }
}

/** JSON, or the form whose field `payload` is JSON: the Git host can be set to either. */
function payloadIn(ctx: RouterContext, body: Buffer): unknown {
  const text = ctx.is('urlencoded') ? new URLSearchParams(body.toString()).get('payload') : body.toString();
  try {
    return JSON.parse(text ?? '');
  } catch {
    return refuse(ctx, 400, 'the body is malformed');
  }
}
