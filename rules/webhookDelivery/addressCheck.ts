import { webhookAddress } from './address.ts';
import type { Refusal } from './facts.ts';

/** The input of an address check: the URL, and the resolved address; null before it is resolved. */
interface AddressAsked {
  readonly url: URL;
  readonly ip: string | null;
}

/** Why a webhook may not be called; null when it may. */
export type AddressCheck = (asked: AddressAsked) => Refusal | null;

/** The host of a URL, of an IPv6 address without brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/** Builds an address check by the table of addresses. */
export const addressCheckWith =
  (allowPrivate: boolean): AddressCheck =>
  ({ url, ip }) => {
    const extras = url.username !== '' || url.password !== '' || url.hash !== '';
    const address = { host: hostOf(url), extras, ip, allowPrivate };
    const verdict = webhookAddress.find(({ when }) => when(address));
    switch (verdict?.reason) {
      case 'Allowed':
        return null;
      case 'UrlRefused':
        return { by: 'urlForm' };
      case 'LocalConnection':
      case 'PrivateConnection':
        return { by: 'connection', ip: ip ?? '' };
      default:
        return { by: 'privateAddress' };
    }
  };
