import { shape } from './kind.ts';

const label = '[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?';
/** A host name below a domain. A last label that begins with a digit makes it an address, in any spelling of one. */
export const hostPattern = `(${label}[.])+[a-zA-Z]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?`;
export const hostMessage = 'must be a host name such as shop.example.com, without a port';

/**
 * A host that visitors ask; empty for none, and with the dot of the root or without. A rule instead of a pattern, so that
 * the refusal is a readable sentence.
 */
export const hostName = (description: string) =>
  shape.text(description, {
    maxLength: 253,
    'x-kubernetes-validations': [{ rule: `self == '' || self.matches('^${hostPattern}[.]?$')`, message: hostMessage }],
  });

/** Beside the pattern of a name: an address has no names below it, no certificate and no record that points to it. */
export const noAddress = [
  { rule: "!self.matches('(^|[.])[0-9][^.]*$')", message: 'must be a host name, not an IP address' },
];
/** Beside the pattern of an `https` address. */
export const noAddressInUrl = [
  { rule: "!self.matches('[/.][0-9][^./:]*[.]?(:[0-9]+)?$')", message: 'must have a host name, not an IP address' },
  {
    rule: "!self.matches(':(0|[0-9]{6,}|[7-9][0-9]{4}|6[6-9][0-9]{3}|65[6-9][0-9]{2}|655[4-9][0-9]|6553[6-9])$')",
    message: 'must have a port from 1 to 65535',
  },
];
