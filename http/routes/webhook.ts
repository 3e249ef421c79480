import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Router, RouterContext } from '@koa/router';
import { Effect, Result } from 'effect';
import { concernOf, type Push, pushOf } from '../../rules/app/push.ts';
import type { BuildAsked } from '../../rules/build/facts.ts';
import { builds } from '../../runtime/services/cluster/kinds.ts';
import { recordHead } from '../../runtime/controllers/build/read.ts';
import { repositoryKey } from '../../rules/build/repository.ts';
import { foundPush } from '../../rules/build/pushes.ts';
import type { HostEvent } from '../../rules/pullRequestEnvironment/facts.ts';
import { pullRequestOf } from '../../rules/pullRequestEnvironment/payload.ts';
import { byRepository } from '../../runtime/services/cluster/indexes.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import type { Undecided } from '../../runtime/command/command.ts';
import { orThrow, refuse } from '../orThrow.ts';
import { sendJson } from '../response.ts';
import { rawBody } from '../request/rawBody.ts';
import type { ServerContext } from '../context.ts';
import { currentBuildOf } from '../views/build.ts';
import { placedOn } from '../views/placed.ts';
import { pullRequestEvents, type PullRequestNote } from './webhook/pullRequests.ts';

/** The largest body of an event of the Git host, in bytes. */
export const maxEventBytes = 25 * 1024 * 1024;
/** The number of builds that are written in parallel for one push. */
const atATime = 8;

/** The Git host's ids have 36 characters; a build keeps no longer one from any sender. */
const longestDelivery = 100;
const notTaken = { status: 503, text: 'the build was changed by others again and again: deliver it once more' };

/** What an event came to, the same for every event: the Git host does not deliver it again by itself. */
interface GitEventAnswer {
  /** Why nothing happened; empty where something did. */
  readonly note: string;
  readonly pullRequests: readonly PullRequestNote[];
  /** The builds that run again, by name. */
  readonly rebuilt: readonly string[];
}

const noted = (note: string): GitEventAnswer => ({ note, pullRequests: [], rebuilt: [] });

/** HMAC-SHA256 over the raw body, compared in constant time (decision 129). */
function isSigned(body: Buffer, signature: string, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Events of the Git host: a push rebuilds what it concerns, a pull request gets an environment or loses it. */
export function webhookRoutes(router: Router, context: ServerContext): void {
  const { operator, settings, run } = context;
  const applyEvent = pullRequestEvents(context);

  router.post('/webhooks/git', async function gitEvent(ctx) {
    const body = await rawBody(ctx, maxEventBytes);
    const secret = settings.webhookSecret();
    if (secret === null) context.log('warn', 'rejected a Git host event; no webhook secret is configured');
    if (!secret || !isSigned(body, ctx.get('x-hub-signature-256'), secret))
      return refuse(ctx, 401, 'the signature is missing or wrong');
    const event = ctx.get('x-github-event');
    sendJson(ctx, await takenAs(ctx, event, body), 202);
  });

  async function takenAs(ctx: RouterContext, event: string, body: Buffer): Promise<GitEventAnswer> {
    if (event === 'pull_request') return takePullRequest(ctx, pullRequestOf(payloadIn(ctx, body)));
    if (event === 'push') return takePush(ctx, pushOf(payloadIn(ctx, body)));
    return noted(`${event || 'an event without a name'} is not acted on`);
  }

  /**
   * The response waits for the write: the Git host delivers a failed event again, and every replica knows a written
   * one.
   */
  async function takePush(ctx: RouterContext, push: Push | null): Promise<GitEventAnswer> {
    if (push === null) return noted('this push is not acted on');
    const rebuilt = orThrow(ctx, await run(take(push, ctx.get('x-github-delivery'))), { Conflict: notTaken });
    return { ...noted(rebuilt.length === 0 ? 'no service is rebuilt by this push' : ''), rebuilt };
  }

  async function takePullRequest(ctx: RouterContext, event: HostEvent | null): Promise<GitEventAnswer> {
    if (event === null) return noted('this event of a pull request is not acted on');
    const pullRequests = answerOf(ctx, await run(applyEvent(event)));
    const rebuilt =
      event.event === 'pushed' ? orThrow(ctx, await run(take(headOf(event), foundPush(event.head).delivery))) : [];
    const note = pullRequests.length === 0 ? 'no project has a service of this repository' : '';
    return { note, pullRequests, rebuilt };
  }

  /** Records a push in the current build of every service of its branch; returns the names of those that build it. */
  function take(push: Push, delivery: string) {
    const { controller, lifecycle } = placedOn(operator, settings.machines, { kind: 'CoreBuild', machine: 'build' });
    const by = push.pusher === '' ? '' : ` by ${push.pusher}`;
    const what = `${push.branch} was pushed to ${push.commit.slice(0, 12)}${by}`;
    const command: BuildAsked = {
      is: 'push',
      what,
      head: push.commit,
      delivery: delivery.slice(0, longestDelivery),
      over: null,
    };
    // A build that does not answer the command has this push already.
    const building = (name: string) =>
      Effect.catchTag(
        Effect.asVoid(operator.move(controller, lifecycle, name, { asked: command, by: 'webhook' })),
        'CommandRejected',
        () => Effect.void,
      );
    const entered = operator.caches.indexed(apps, byRepository.name, repositoryKey(push.repository)).flatMap((app) => {
      const concern = concernOf(app, push, settings.gitUrl);
      const build = concern === 'none' ? undefined : currentBuildOf(operator.caches, app.metadata.name);
      // The Git host reports one commit twice: by its push, and by its pull request.
      const isRecorded = delivery === foundPush(push.commit).delivery && build?.status?.head === push.commit;
      const name = isRecorded ? undefined : build?.metadata.name;
      if (name === undefined) return [];
      const entering =
        concern === 'builds'
          ? Effect.as(building(name), [name])
          : Effect.as(operator.edit(builds, name, recordHead(push.commit)), []);
      // Deleted in between: the next build of the service uses this commit anyway.
      return [Effect.catchTag(entering, 'NotFound', () => Effect.succeed<readonly string[]>([]))];
    });
    return Effect.map(Effect.all(entered, { concurrency: atATime }), (done) => done.flat().toSorted());
  }
}

/** The push that a pull request event reports, without the changed files. */
const headOf = ({ repository, branch, head }: HostEvent): Push => ({
  repository,
  branch,
  defaultBranch: '',
  commit: head,
  pusher: '',
  changed: null,
});

/** An event that could not be decided has to be delivered again. */
function answerOf<A>(ctx: RouterContext, result: Result.Result<A, Undecided>): A {
  if (Result.isSuccess(result)) return result.success;
  const { failure } = result;
  if (failure._tag === 'FactUnknown' || failure._tag === 'InvalidTransition') return refuse(ctx, 503, failure._tag);
  return orThrow(ctx, Result.fail(failure), { Conflict: notTaken });
}

/** JSON, or a form whose field `payload` is JSON: the Git host can be configured for either. */
function payloadIn(ctx: RouterContext, body: Buffer): unknown {
  const text = ctx.is('urlencoded') ? new URLSearchParams(body.toString()).get('payload') : body.toString();
  try {
    return JSON.parse(text ?? '');
  } catch {
    return refuse(ctx, 400, 'the body is malformed');
  }
}
