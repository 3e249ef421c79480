/** The address of an installation, without a trailing slash: two equal texts are the same address. */
export type Address =
  { readonly is: 'address'; readonly url: string } | { readonly is: 'wrong'; readonly message: string };

const wrong = (message: string): Address => ({ is: 'wrong', message });

/**
 * Reads an address. Scheme and host are compared in lower case and without the default port of the scheme; a path
 * belongs to the address, for an installation may stand behind one.
 */
export function addressOf(text: string): Address {
  if (!/^https?:\/\//i.test(text)) return wrong('it must begin with http:// or https://');
  if (!URL.canParse(text)) return wrong('it is no address');
  const { username, password, search, hash, origin, pathname } = new URL(text);
  if (username !== '' || password !== '') return wrong('it must not hold a user name or a password');
  if (search !== '' || hash !== '' || /[?#]/.test(text)) return wrong('it must not hold a query or a fragment');
  return { is: 'address', url: `${origin}${pathname.replace(/\/+$/, '')}` };
}

/** Whether two texts name the same installation. */
export function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [addressOf(one), addressOf(other)];
  return a.is === 'address' && b.is === 'address' ? a.url === b.url : one === other;
}

/** The host of an address, with its port where it is not the default one. */
export const hostOf = (url: string): string => new URL(url).host;
