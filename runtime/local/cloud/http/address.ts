import { Refusal } from '../refusal.ts';

/** Encodes by RFC 3986, like AWS. */
export const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'InvalidURI', 'The address cannot be decoded');
  }
}

/** Path and query of a request, undecoded. */
export function partsOf(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?');
  return at === -1 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

export const queryOf = (query: string): readonly (readonly [name: string, value: string])[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at === -1 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    });

/** The bucket and the key in a path. */
export function placeIn(path: string): { readonly bucket: string; readonly key: string } {
  const [bucket = '', ...key] = path.replace(/^\//, '').split('/');
  return { bucket: decoded(bucket), key: decoded(key.join('/')) };
}
