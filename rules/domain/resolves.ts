import type { DnsSeen } from '../dashboardDomainReady/facts.ts';

/** DNS is right only when every address of the name is one of the cluster. */
export function dnsFound(addresses: readonly string[], publicIPs: readonly string[]): DnsSeen {
  if (addresses.length === 0) return { is: 'elsewhere', why: 'it has no address' };
  const others = addresses.filter((address) => !publicIPs.includes(address));
  if (others.length === 0) return { is: 'right' };
  const ours = publicIPs.length === 0 ? 'the cluster has no public IP' : `the public IP is ${publicIPs.join(', ')}`;
  return { is: 'elsewhere', why: `it resolves to ${others.join(', ')}, and ${ours}` };
}
