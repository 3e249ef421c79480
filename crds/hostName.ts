import { shape } from './kind.ts';

const label = '[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?';
/** A host name below a domain. A last label beginning with a digit would make it an IP address, in any notation. */
export const hostPattern = `(${label}[.])+[a-zA-Z]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?`;
export const hostMessage = 'must be a host name such as shop.example.com, without a port';

/**
 * The host of visitors' requests; empty for none, with or without the root dot. A rule instead of a pattern, so that
 * the refusal is a readable sentence.
 */
export const hostName = (description: string) =>
  shape.text(description, {
    maxLength: 253,
    'x-kubernetes-validations': [{ rule: `self == '' || self.matches('^${hostPattern}[.]?$')`, message: hostMessage }],
  });

/** Complements the pattern of a name: an IP address has no subdomains, no certificate and no DNS record. */
export const noAddress = [
  { rule: "!self.matches('(^|[.])[0-9][^.]*$')", message: 'must be a host name, not an IP address' },
];
/** Complements the pattern of an `https` URL. */
export const noAddressInUrl = [
  { rule: "!self.matches('[/.][0-9][^./:]*[.]?(:[0-9]+)?$')", message: 'must have a host name, not an IP address' },
  {
    rule: "!self.matches(':(0|[0-9]{6,}|[7-9][0-9]{4}|6[6-9][0-9]{3}|65[6-9][0-9]{2}|655[4-9][0-9]|6553[6-9])$')",
    message: 'must have a port from 1 to 65535',
  },
];
