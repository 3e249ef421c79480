import type { Product } from './product.ts';

/** What the API answers an admin; a refusal is an error. */
export async function askJson<T>(product: Product, method: string, path: string, body?: object): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const answer = await product.api(`/api/v1${path}`, { method, ...sent });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
