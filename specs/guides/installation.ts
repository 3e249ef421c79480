import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoints } from '../../http/program/endpoints.ts';
import { until } from '../support/until.ts';
import type { Checkout } from './checkout.ts';

/** An installation that `npm start` made in a checkout, as its admin uses it. */
export interface Installation {
  /** What a page says, with the addresses and a token of this installation in place of those of the page. */
  readonly put: (text: string) => string;
  /** Approves a sign-in of the command line on the dashboard, as admin. */
  readonly approve: (code: string) => Promise<void>;
}

/** Any free ports, in place of the default ones. */
export const anyPorts: Readonly<Record<string, string>> = Object.fromEntries(
  ['PORT', 'HEALTH_PORT', 'METRICS_PORT', 'KUBE_PORT', 'GIT_PORT', 'CLOUD_PORT'].map((name) => [`CORE_${name}`, '0']),
);

/** Waits until `npm start` says ready, and signs in with the password that it printed. */
export async function installed({ folder }: Checkout, printed: () => string): Promise<Installation> {
  await until(() => /^ready$/m.test(printed()), 'npm start says ready').catch((error: unknown) => {
    throw new Error(`${String(error)}\n${printed()}`);
  });
  const endpoints = JSON.parse(readFileSync(join(folder, '.core/endpoints.json'), 'utf8')) as Endpoints;
  const password = /^admin password (\S+)$/m.exec(printed())?.[1] ?? '';
  const dashboard = (endpoints.dashboard ?? '').replace(/\/$/, '');
  const post = async (path: string, body: unknown, cookie = ''): Promise<Response> => {
    const headers = { 'content-type': 'application/json', origin: dashboard, cookie };
    const answer = await fetch(dashboard + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const session = await post('/api/login', { username: 'admin', password });
  const cookie = session.headers.get('set-cookie')?.split(';')[0] ?? '';
  const made = await post('/api/v1/tokens', { name: 'guide', role: 'admin' }, cookie);
  const { token } = (await made.json()) as { readonly token: string };
  const places: readonly (readonly [string, string])[] = [
    ['http://127.0.0.1:8085', dashboard],
    ['http://127.0.0.1:7080', endpoints.gitHost ?? ''],
    ['http://127.0.0.1:7090', endpoints.cloud ?? ''],
    ['127.0.0.1:7099', '127.0.0.1:0'],
    ['/home/you/core', folder],
    ['gsw_…', token],
  ];
  const put = (text: string) => places.reduce((changed, [there, here]) => changed.replaceAll(there, here), text);
  for (const written of ['crds/samples', 'crds/gitops/example/base'])
    for (const name of readdirSync(join(folder, written))) {
      const file = join(folder, written, name);
      writeFileSync(file, put(readFileSync(file, 'utf8')));
    }
  return {
    put,
    approve: async (code) =>
      void (await post('/api/v1/auth/device/approve', { code, access: 'admin', days: 7 }, cookie)),
  };
}
