import type { RouterContext } from '@koa/router';
import { Optional as optional, Type } from '@sinclair/typebox';
import { Effect } from 'effect';
import { type CorePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import { encode } from '../auth/directory.ts';
import { anyFields, type ReadonlyStatic, text } from '../openapi/kit.ts';
import { uncached } from '../openapi/schema.ts';
import { orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { type AnswerContext, sendJson, sendPlain } from '../response.ts';
import { perContext, type Resource, route, type RouteContext } from '../route.ts';
import { done } from './resource.ts';
import {
  dashboardAddress,
  gitAppKeys,
  gitAppManifest,
  gitAppSecret,
  type GitAppValues,
  isVerified,
} from '../../rules/settings/gitApplication.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { refusalOf } from '../../runtime/controllers/gitHostConnection/read.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { GitHost } from '../../runtime/services/gitHost.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';

const group = 'Platform';
const unverified = 'The address of the dashboard is not verified.';

/** A step that was begun is to be ended within this time. */
const stateMs = 10 * 60_000;
const maxStates = 100;

const value = Type.String({ minLength: 1, maxLength: 16_384 });

const gitAppRequest = Type.Object({
  appId: value,
  clientId: value,
  clientSecret: value,
  slug: value,
  privateKey: value,
  webhookSecret: value,
});

const manifestRequest = Type.Object({
  code: optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,200}$', description: 'What the Git host sent back.' })),
  state: optional(text('What it was sent with.')),
});
const manifestStep = Type.Object(
  {
    name: text('The platform configuration.'),
    state: text('What was done, in a word.'),
    address: optional(text('Where the form with the manifest is posted to.')),
    manifest: optional(anyFields),
  },
  { title: 'ManifestStep' },
);
/** POST /api/v1/settings/git-app/manifest */
export type ManifestStep = ReadonlyStatic<typeof manifestStep>;

/** When each step that was begun ends; each is good for one exchange, in this process. */
const openSteps = perContext(() => new Map<string, number>());

/** The Git host application of the platform: saved by its values, or made there of a manifest (document 001). */
export const gitApplicationRoutes = {
  'POST /settings/git-app/save': route(
    {
      group,
      summary: 'Saves the Git host application that projects are linked by.',
      path: {},
      body: { schema: gitAppRequest },
      answers: { 200: uncached(done, 'It is saved.') },
      refusals: { 409: unverified },
    },
    (context) =>
      async function saveApplication(ctx, _, { body }) {
        verifiedConfig(ctx, context);
        await save(ctx, context, body);
        sendJson(ctx, { name: platformConfigName, state: 'saved' });
      },
  ),
  'POST /settings/git-app/manifest': route(
    {
      group,
      summary: 'Begins to make the application at the Git host; with the code that it sends back, saves it.',
      path: {},
      body: { schema: manifestRequest, optional: true },
      answers: { 200: uncached(manifestStep, 'Where to go on, or that it is saved.') },
      refusals: {
        409: `${unverified} Or the state is of no step that was begun here.`,
        502: 'The Git host refused it.',
      },
    },
    (context) => {
      const { run } = context;
      return async function makeApplication(ctx, _, { body }) {
        const config = verifiedConfig(ctx, context);
        const { code, state = '' } = body ?? {};
        if (code === undefined) return begin(ctx, context, config);
        if (!isBegun(context, state)) return refuse(ctx, 409, 'unknown or expired state; start again');
        const application = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.madeApplication(code))));
        if (application.is !== 'found') return refuse(ctx, 502, refusalOf(application));
        await save(ctx, context, application.value);
        return sendJson(ctx, { name: platformConfigName, state: 'saved' });
      };
    },
  ),
} satisfies Resource;

const keysOf = (values: GitAppValues): SecretKeys =>
  Object.fromEntries(
    Object.entries(gitAppKeys).map(([field, key]) => [key, encode(values[field as keyof GitAppValues])]),
  );

function verifiedConfig(ctx: RouterContext, { caches }: RouteContext): CorePlatformConfig {
  const config = caches.get(platformConfigs, platformConfigName);
  return config && isVerified(config) ? config : refuse(ctx, 409, 'dashboard URL must be configured first');
}

function begin(ctx: AnswerContext<ManifestStep>, context: RouteContext, config: CorePlatformConfig): void {
  const { settings, now, random } = context;
  const states = openSteps(context);
  const state = random(16).toString('hex');
  const [oldest] = states.keys();
  if (states.size >= maxStates && oldest !== undefined) states.delete(oldest);
  states.set(state, now() + stateMs);
  const address = `${settings.gitUrl}/settings/apps/new?state=${state}`;
  const manifest = gitAppManifest(dashboardAddress(config));
  sendPlain(ctx, { name: platformConfigName, state: 'begun', address, manifest });
}

function isBegun(context: RouteContext, state: string): boolean {
  const states = openSteps(context);
  const until = states.get(state) ?? 0;
  states.delete(state);
  return context.now() < until;
}

/** Writes the Secret before the configuration names it. */
async function save(ctx: RouterContext, { operator, run, caches }: RouteContext, values: GitAppValues): Promise<void> {
  const keys = keysOf(values);
  orThrow(ctx, await run(changeSecret(caches, gitAppSecret, () => ({ keys, result: null }))));
  const named = operator.edit(platformConfigs, platformConfigName, ({ spec }) => ({
    patch: spec.gitAppRef?.name === gitAppSecret ? null : { spec: { gitAppRef: { name: gitAppSecret } } },
    result: null,
  }));
  savedOrThrow(ctx, await run(named));
}
