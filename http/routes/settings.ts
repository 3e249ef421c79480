import type { RouterContext } from '@koa/router';
import { corePlatformConfig, platformConfigName, type PlatformConfigSpec } from '../../crds/corePlatformConfig.ts';
import { typeMeta } from '../../crds/kind.ts';
import { systemNamespace } from '../../crds/names.ts';
import {
  dnsSecret,
  loginIn,
  registryConfig,
  registryKey,
  type RegistryLogin,
  registrySecret,
  serverOf,
} from '../../rules/platform.ts';
import { Result } from 'effect';
import { platformConfigs } from '../../runtime/services/cluster/kinds.ts';
import type { SecretKeys } from '../../runtime/services/secret.ts';
import { secretText } from '../../runtime/services/secretText.ts';
import type { Secret } from '../../crds/builtIn.ts';
import { orThrow, savedOrThrow, refuse } from '../orThrow.ts';
import type { Done } from './resource.ts';
import { sendJson, sendRead } from '../response.ts';
import type { Routes } from '../registeredRoutes.ts';
import type { ServerContext } from '../context.ts';
import { settingsView } from '../views/settings.ts';
import { changeSecret } from '../../runtime/cache/secret.ts';

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

/** The settings of the whole platform: Secrets are written first, and then what names them. */
export function settingsRoutes(routes: Routes, context: ServerContext): void {
  const { operator, run } = context;
  const { caches } = operator;

  routes.on('GET /settings', function readSettings(ctx) {
    sendRead(ctx, settingsView(caches));
  });

  routes.on('POST /settings/domain/save', async function saveDomain(ctx, _, { body }) {
    const { dashboardExposure, ...texts } = body;
    await save(ctx, { ...given(texts), ...(dashboardExposure === undefined ? {} : { dashboardExposure }) });
    return sendJson(ctx, saved);
  });

  routes.on('POST /settings/dns/save', async function saveDns(ctx, _, { body: { apiToken, ...body } }) {
    const texts: Readonly<Record<string, string | null>> = { ...given(body), ...(apiToken ? { apiToken } : {}) };
    await keep(ctx, dnsSecret, (secret) => {
      const lacks = ['apiToken', 'accountId'].find((key) => (texts[key] ?? secretText(secret, key)) === '');
      const cleared = texts['accountId'] === null ? 'accountId' : lacks;
      if (cleared !== undefined) return `${cleared} is required`;
      return Object.fromEntries(
        Object.entries(texts).map(([key, value]) => [key, value === null ? null : encoded(value)]),
      );
    });
    await save(ctx, { dnsConnectionRef: { name: dnsSecret } });
    return sendJson(ctx, saved);
  });

  routes.on('POST /settings/dns/disconnect', async function disconnectDns(ctx) {
    await save(ctx, { dnsConnectionRef: null });
    return sendJson(ctx, saved);
  });

  routes.on('POST /settings/registry/save', async function saveRegistry(ctx, _, { body }) {
    const { repository, ...login } = body;
    const stored = caches.get(platformConfigs, platformConfigName)?.spec.registry?.repository ?? '';
    const wanted = repository ?? stored;
    const hasLogin = login.server !== undefined || login.username !== undefined || (login.password ?? '') !== '';
    if (wanted === '' && (login.username ?? '') !== '') return refuse(ctx, 400, 'repository is required');
    if (hasLogin)
      await keep(ctx, registrySecret, (secret) => {
        const { username, password, server } = loginAfter(loginIn(secretText(secret, registryKey)), login);
        if (username === '') return { [registryKey]: null };
        if (password === '') return 'password is required';
        return { [registryKey]: encoded(registryConfig({ username, password, server: server || serverOf(wanted) })) };
      });
    const credentialRef = login.username === '' ? null : { name: registrySecret };
    await save(ctx, {
      registry: wanted === '' ? null : { repository: wanted, ...(hasLogin ? { credentialRef } : {}) },
    });
    return sendJson(ctx, saved);
  });

  /** Writes keys of a Secret; words are why they are refused. */
  async function keep(
    ctx: RouterContext,
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
  async function save(ctx: RouterContext, spec: Readonly<Record<string, unknown>>): Promise<void> {
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
}
