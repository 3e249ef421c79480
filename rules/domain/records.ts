import type { CorePlatformConfig } from '../../crds/corePlatformConfig.ts';
import { addressIn } from './address.ts';

/** A DNS record to create manually. */
export interface RecordByHand {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly name: string;
  readonly content: string;
}

/** The record type of an address. */
export const typeOfAddress = (address: string): 'A' | 'AAAA' => (address.includes(':') ? 'AAAA' : 'A');

/** The records that publish the dashboard without a DNS provider. */
export function recordsByHand(config: CorePlatformConfig, publicIPs: readonly string[]): readonly RecordByHand[] {
  const { root, host } = addressIn(config);
  const { dnsConnectionRef, dashboardExposure, tunnelCNAMETarget = '' } = config.spec;
  if (root === '' || dnsConnectionRef !== undefined) return [];
  if (dashboardExposure === 'tunnel')
    return tunnelCNAMETarget === '' ? [] : [{ type: 'CNAME', name: host, content: tunnelCNAMETarget }];
  return publicIPs.map((content) => ({ type: typeOfAddress(content), name: host, content }));
}
