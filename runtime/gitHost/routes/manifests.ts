import { type Answer, Refusal } from '../answer.ts';
import type { Apps, Manifest } from '../apps.ts';
import { isObject } from '../../../rules/json.ts';
import { ownerJson } from '../payload.ts';
import type { Call, Route } from '../route.ts';
import { events, permissions } from './application.ts';

/**
 * Creates applications from a manifest: a page sends it, a person agrees, the page's server fetches the application.
 */
export function manifestRoutes(apps: Apps): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/settings/apps/new',
      access: 'anyone',
      run: async (call) => {
        const text = (await call.form()).get('manifest') ?? '';
        return agreement(manifestOf(text), text, call.url.searchParams.get('state') ?? '');
      },
    },
    {
      method: 'POST',
      path: '/settings/apps',
      access: 'local',
      run: async (call) => {
        const fields = await call.form();
        const manifest = manifestOf(fields.get('manifest') ?? '');
        const back = new URL(manifest.redirectUrl);
        back.searchParams.set('code', apps.promise(manifest));
        back.searchParams.set('state', fields.get('state') ?? '');
        return { status: 302, headers: { location: back.href } };
      },
    },
    {
      method: 'POST',
      path: '/api/app-manifests/:code/conversions',
      access: 'tokenOrLocal',
      run: ({ part }: Call) => conversion(apps, part('code')),
    },
  ];
}

async function conversion(apps: Apps, code: string): Promise<Answer> {
  const made = await apps.make(code);
  if (made === null) throw new Refusal(404);
  return {
    status: 201,
    body: {
      id: Number(made.appId),
      slug: made.slug,
      name: made.slug,
      owner: ownerJson('local'),
      client_id: made.clientId,
      client_secret: made.clientSecret,
      webhook_secret: made.webhookSecret,
      pem: made.privateKeyPem,
      permissions,
      events,
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(422, 'the manifest is not JSON');
  }
}

function manifestOf(text: string): Manifest {
  const value = jsonOf(text);
  if (!isObject(value)) throw new Refusal(422, 'the manifest is no object');
  const { name, redirect_url: redirectUrl, hook_attributes: hook } = value;
  if (typeof name !== 'string' || name === '') throw new Refusal(422, 'the manifest has no name');
  if (typeof redirectUrl !== 'string' || !isWebAddress(redirectUrl))
    throw new Refusal(422, 'the redirect_url of the manifest is no web address');
  if (isObject(hook) && !isWebAddress(hook['url']))
    throw new Refusal(422, 'the hook of the manifest has no web address');
  return { name, redirectUrl };
}

const isWebAddress = (text: unknown): boolean =>
  typeof text === 'string' && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The page on which a person agrees: another site can open it, but not submit it. */
function agreement({ name }: Manifest, manifest: string, state: string): Answer {
  const hidden = Object.entries({ manifest, state })
    .map(([field, value]) => `<input type="hidden" name="${field}" value="${escaped(value)}">`)
    .join('');
  const button = `<button type="submit">Create ${escaped(name)}</button>`;
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Create an application</title>
<h1>Create an application</h1><p>${escaped(name)} will read every repository of this Git host.</p>
<form method="post" action="/settings/apps">${hidden}${button}</form></html>`;
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  };
  return { status: 200, body, headers };
}
