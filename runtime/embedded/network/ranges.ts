const numberOf = (ip: string): number => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

const isIpv4 = (text: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);

/** Whether an address lies in a range; only addresses of IPv4 lie in any. */
export function isWithin(ip: string, cidr: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/');
  if (!isIpv4(ip) || !isIpv4(base)) return false;
  const size = 2 ** (32 - Number(bits));
  return Math.floor(numberOf(ip) / size) === Math.floor(numberOf(base) / size);
}
