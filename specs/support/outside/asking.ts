import type { Product } from '../product.ts';

/** Asks the API of a running product, which may be another after a restart. */
export const askingOf =
  (product: () => Product) =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await product().api(`/api/v1${path}`, {
      method,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
