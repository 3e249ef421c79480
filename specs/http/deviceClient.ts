import type { ApiToken, DeviceReview, DeviceStart, Items } from '../../http/api.ts';
import type { Answer, Served } from './served.ts';

const json = { 'content-type': 'application/json' };

/** The response to a poll without a token. */
export const error = (text: string) => [400, { error: text }] as const;

type Headers = Readonly<Record<string, string>>;

/** A command line that requests a sign-in, and the admin who decides about it. */
export function deviceClient(served: Served) {
  let addresses = 0;
  const begin = (body: object = { client_name: 'laptop' }, headers: Headers = {}) =>
    served.askPlain('/api/v1/auth/device', {
      method: 'POST',
      // A new address each time, so that nothing is limited by accident.
      headers: { ...json, 'x-forwarded-for': `198.51.100.${++addresses}`, ...headers },
      body: JSON.stringify(body),
    });
  const poll = (code: string): Promise<Answer> =>
    served.askPlain('/api/v1/auth/token', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ device_code: code }),
    });
  return {
    begin,
    poll,
    started: async (body?: object) => (await begin(body)).json() as DeviceStart,
    told: async (code: string) => {
      const { status, json: body } = await poll(code);
      return [status, body()] as const;
    },
    review: async (code: string) => (await served.ask(`/api/v1/auth/device/${code}`)).json() as DeviceReview,
    approve: (code: string, fields: object = { days: 7 }, headers: Headers = {}) =>
      served.post('/api/v1/auth/device/approve', { code, ...fields }, headers),
    deny: (code: string, headers: Headers = {}) => served.post('/api/v1/auth/device/deny', { code }, headers),
    tokens: async () => ((await served.ask('/api/v1/tokens')).json() as Items<ApiToken>).items,
  };
}

export type DeviceClient = ReturnType<typeof deviceClient>;
