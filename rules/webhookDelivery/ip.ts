type Octets = readonly number[];

/** The four bytes of an IPv4 address, or null for any other text. */
function ipv4(text: string): Octets | null {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) return null;
  const octets = parts.map(Number);
  return octets.every((octet) => octet <= 255) ? octets : null;
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':'));

/** The sixteen bytes of an IPv6 address, or null for any other text. */
function ipv6(text: string): Octets | null {
  const tail = ipv4(text.slice(text.lastIndexOf(':') + 1));
  const hex = tail === null ? text : `${text.slice(0, text.lastIndexOf(':') + 1)}0:0`;
  const [head = '', rest, ...more] = hex.split('::');
  if (more.length > 0) return null;
  const [left, right] = [groupsOf(head), groupsOf(rest ?? '')];
  const missing = 8 - left.length - right.length;
  if (rest === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  const octets = groups.map((group) => parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
  return tail === null ? octets : [...octets.slice(0, 12), ...tail];
}

/** The bytes of an IP address, with an IPv4-mapped address as the IPv4 address; null for any other text. */
export function octetsOf(address: string): Octets | null {
  const octets = ipv4(address) ?? ipv6(address.replace(/%.*$/, ''));
  const isMapped = octets?.length === 16 && octets.slice(0, 10).every((octet) => octet === 0);
  return isMapped && octets[10] === 255 && octets[11] === 255 ? octets.slice(12) : octets;
}
