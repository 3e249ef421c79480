import type { RouterContext } from '@koa/router';
import { Result } from 'effect';
import type { Secret } from '../../crds/builtIn.ts';
import { corePlatformConfig, platformConfigName, type PlatformConfigSpec } from '../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import { read, uncached } from '../openapi/schema.ts';
import { orThrow, refuse, savedOrThrow } from '../orThrow.ts';
import { sendJson, sendRead } from '../response.ts';
import { type Resource, route, type RouteContext } from '../route.ts';
import { done, type Done } from './resource.ts';
import { dnsRequest, domainRequest, registryRequest, settings } from './settings/shapes.ts';
import { settingsView } from '../views/settings.ts';
import {
  dnsSecret,
  loginIn,
  registryConfig,
  registryKey,
  type RegistryLogin,
  registrySecret,
  serverOf,
} from '../../rules/platform.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';
import { secretText } from '../../runtime/services/secretText.ts';

const group = 'Platform';
const isSaved = { 200: uncached(done, 'It is saved.') };
const saved: Done = { name: platformConfigName, state: 'saved' };
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** A field left out stays; an empty one is removed. */
const given = (fields: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | null>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value || null]])),
  );

/** The login as asked; a password that is left out or empty stays. */
const loginAfter = (before: RegistryLogin, { server, username, password }: Partial<RegistryLogin>): RegistryLogin => ({
  server: server ?? before.server,
  username: username ?? before.username,
  password: password || before.password,
});

/**
 * The settings of the whole platform (document 001, Dashboard behaviors): Secrets are written first, and then what names
 * them. A field left out stays, an empty one clears.
 */
export const settingsRoutes = {
  'GET /settings': route(
    {
      group,
      summary: 'Reads the settings of the platform, and how its domain and its connectors stand.',
      path: {},
      answers: read(settings, 'The settings; of Secrets the names of their keys alone.'),
    },
    ({ caches }) =>
      function readSettings(ctx) {
        sendRead(ctx, settingsView(caches));
      },
  ),
  'POST /settings/domain/save': route(
    {
      group,
      summary: 'Saves under which address the dashboard is published, and how.',
      path: {},
      body: { schema: domainRequest },
      answers: isSaved,
    },
    (context) =>
      async function saveDomain(ctx, _, { body }) {
        const { dashboardExposure, ...texts } = body;
        await save(ctx, context, {
          ...given(texts),
          ...(dashboardExposure === undefined ? {} : { dashboardExposure }),
        });
        return sendJson(ctx, saved);
      },
  ),
  'POST /settings/dns/save': route(
    {
      group,
      summary: 'Saves the credentials of the DNS provider, and connects it.',
      path: {},
      body: { schema: dnsRequest },
      answers: isSaved,
    },
    (context) =>
      async function saveDns(ctx, _, { body: { apiToken, ...body } }) {
        const texts: Readonly<Record<string, string | null>> = { ...given(body), ...(apiToken ? { apiToken } : {}) };
        await keep(ctx, context, dnsSecret, (secret) => {
          const lacks = ['apiToken', 'accountId'].find((key) => (texts[key] ?? secretText(secret, key)) === '');
          const cleared = texts['accountId'] === null ? 'accountId' : lacks;
          if (cleared !== undefined) return `${cleared} is required`;
          return Object.fromEntries(
            Object.entries(texts).map(([key, value]) => [key, value === null ? null : encoded(value)]),
          );
        });
        await save(ctx, context, { dnsConnectionRef: { name: dnsSecret } });
        return sendJson(ctx, saved);
      },
  ),
  'POST /settings/dns/disconnect': route(
    {
      group,
      summary: 'Disconnects the DNS provider; its Secret stays.',
      path: {},
      answers: isSaved,
    },
    (context) =>
      async function disconnectDns(ctx) {
        await save(ctx, context, { dnsConnectionRef: null });
        return sendJson(ctx, saved);
      },
  ),
  'POST /settings/registry/save': route(
    {
      group,
      summary: 'Saves the registry of builds, and the login to it.',
      path: {},
      body: { schema: registryRequest },
      answers: isSaved,
    },
    (context) => {
      const { caches } = context;
      return async function saveRegistry(ctx, _, { body }) {
        const { repository, ...login } = body;
        const stored = caches.get(platformConfigs, platformConfigName)?.spec.registry?.repository ?? '';
        const wanted = repository ?? stored;
        const hasLogin = login.server !== undefined || login.username !== undefined || (login.password ?? '') !== '';
        if (wanted === '' && (login.username ?? '') !== '') return refuse(ctx, 400, 'repository is required');
        if (hasLogin)
          await keep(ctx, context, registrySecret, (secret) => {
            const { username, password, server } = loginAfter(loginIn(secretText(secret, registryKey)), login);
            if (username === '') return { [registryKey]: null };
            if (password === '') return 'password is required';
            return {
              [registryKey]: encoded(registryConfig({ username, password, server: server || serverOf(wanted) })),
            };
          });
        const credentialRef = login.username === '' ? null : { name: registrySecret };
        await save(ctx, context, {
          registry: wanted === '' ? null : { repository: wanted, ...(hasLogin ? { credentialRef } : {}) },
        });
        return sendJson(ctx, saved);
      };
    },
  ),
} satisfies Resource;

/** Writes keys of a Secret; words are why they are refused. */
async function keep(
  ctx: RouterContext,
  { run, caches }: RouteContext,
  name: string,
  follow: (secret: Secret | undefined) => SecretKeys | string,
): Promise<void> {
  const changed = changeSecret(caches, name, (secret) => {
    const keys = follow(secret);
    return typeof keys === 'string' ? { keys: null, result: keys } : { keys, result: null };
  });
  const refusal = orThrow(ctx, await run(changed));
  if (refusal !== null) refuse(ctx, 400, refusal);
}

/** Writes fields of the settings; null removes one. */
async function save(
  ctx: RouterContext,
  { operator, run }: RouteContext,
  spec: Readonly<Record<string, unknown>>,
): Promise<void> {
  const edited = await run(
    operator.edit(platformConfigs, platformConfigName, () => ({
      patch: Object.keys(spec).length === 0 ? null : { spec },
      result: null,
    })),
  );
  if (!Result.isFailure(edited) || edited.failure._tag !== 'NotFound') return void savedOrThrow(ctx, edited);
  const present = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
  const fresh = {
    ...typeMeta(corePlatformConfig),
    metadata: { name: platformConfigName, namespace: systemNamespace },
    spec: { dashboardExposure: 'ingress' as const, ...(present as Partial<PlatformConfigSpec>) },
  };
  savedOrThrow(ctx, await run(operator.add(platformConfigs, fresh)));
}
