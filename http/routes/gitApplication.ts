import type { RouterContext } from '@koa/router';
import { Effect } from 'effect';
import { type CorePlatformConfig, platformConfigName } from '../../crds/corePlatformConfig.ts';
import {
  dashboardAddress,
  gitAppKeys,
  gitAppManifest,
  gitAppSecret,
  type GitAppValues,
  isVerified,
} from '../../rules/settings/gitApplication.ts';
import { refusalOf } from '../../runtime/controllers/gitHostConnection/read.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import { GitHost } from '../../runtime/services/gitHost.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { ManifestStep } from '../openapi/shapes/gitApplication.ts';
import type { Done } from './resource.ts';
import { encode } from '../auth/directory.ts';
import { sendJson, sendPlain } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';

/** A step that was begun is to be ended within this time. */
const stateMs = 10 * 60_000;
const mostStates = 100;

const keysOf = (values: GitAppValues): SecretKeys =>
  Object.fromEntries(
    Object.entries(gitAppKeys).map(([field, key]) => [key, encode(values[field as keyof GitAppValues])]),
  );

/** The Git host application of the platform: saved by its values, or made there of a manifest. */
export function gitApplicationRoutes(routes: Routes, { operator, run, random, now, settings }: ServerContext): void {
  const { caches } = operator;
  /** Each is good for one exchange, in this process. */
  const states = new Map<string, number>();

  routes.on('POST /settings/git-app/save', async function saveApplication(ctx, _, { body }) {
    verifiedConfig(ctx);
    await save(ctx, body);
    sendJson(ctx, { name: platformConfigName, state: 'saved' } satisfies Done);
  });

  routes.on('POST /settings/git-app/manifest', async function makeApplication(ctx, _, { body }) {
    const config = verifiedConfig(ctx);
    const { code, state = '' } = body ?? {};
    if (code === undefined) return begin(ctx, config);
    if (!isBegun(state)) return refuse(ctx, 409, 'this was not begun here, or it was ended: begin again');
    const made = orThrow(ctx, await run(Effect.flatMap(GitHost, (host) => host.madeApplication(code))));
    if (made.is !== 'found') return refuse(ctx, 502, refusalOf(made));
    await save(ctx, made.value);
    return sendJson(ctx, { name: platformConfigName, state: 'saved' } satisfies ManifestStep);
  });

  function verifiedConfig(ctx: RouterContext): CorePlatformConfig {
    const config = caches.get(platformConfigs, platformConfigName);
    return config && isVerified(config) ? config : refuse(ctx, 409, 'dashboard URL must be configured first');
  }

  function begin(ctx: RouterContext, config: CorePlatformConfig): void {
    const state = random(16).toString('hex');
    const [oldest] = states.keys();
    if (states.size >= mostStates && oldest !== undefined) states.delete(oldest);
    states.set(state, now() + stateMs);
    const address = `${settings.gitUrl}/settings/apps/new?state=${state}`;
    const manifest = gitAppManifest(dashboardAddress(config));
    sendPlain(ctx, { name: platformConfigName, state: 'begun', address, manifest } satisfies ManifestStep);
  }

  function isBegun(state: string): boolean {
    const until = states.get(state) ?? 0;
    states.delete(state);
    return now() < until;
  }

  /** The Secret stands before the configuration names it. */
  async function save(ctx: RouterContext, values: GitAppValues): Promise<void> {
    const keys = keysOf(values);
    orThrow(ctx, await run(changeSecret(caches, gitAppSecret, () => ({ keys, result: null }))));
    const named = operator.edit(platformConfigs, platformConfigName, ({ spec }) => ({
      patch: spec.gitAppRef?.name === gitAppSecret ? null : { spec: { gitAppRef: { name: gitAppSecret } } },
      result: null,
    }));
    savedOrThrow(ctx, await run(named));
  }
}
