import { password } from '../support/product.ts';
import type { Outcome, OperatorPart } from './processes.ts';

/** The REST API as a user speaks it, signed in; the cookie of one operator is good at the other. */
export interface Rest {
  readonly post: (operator: OperatorPart, path: string, body?: object) => Promise<Outcome<unknown>>;
}

const withinMs = 30_000;

export function restOf(): Rest {
  let cookie = '';

  const ask = async ({ url }: OperatorPart, path: string, body?: object): Promise<Response> =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { cookie, origin: url, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(withinMs),
    });
  const signIn = async (operator: OperatorPart) => {
    const answer = await ask(operator, '/api/login', { username: 'admin', password });
    if (!answer.ok) throw new Error(`sign-in answered ${answer.status}`);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  };
  const post: Rest['post'] = async (operator, path, body) => {
    try {
      if (cookie === '') await signIn(operator);
    } catch (error) {
      return { is: 'refused', why: String(error) };
    }
    try {
      const answer = await ask(operator, path, body);
      const text = await answer.text();
      if (answer.status === 401) cookie = '';
      if (answer.ok) return { is: 'done', value: JSON.parse(text) as unknown };
      return { is: answer.status < 500 ? 'refused' : 'unknown', why: `${answer.status} ${text.slice(0, 200)}` };
    } catch (error) {
      return { is: 'unknown', why: String(error) };
    }
  };
  return { post };
}
