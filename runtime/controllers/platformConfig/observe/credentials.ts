import type { CorePlatformConfig } from '../../../../crds/corePlatformConfig.ts';
import type { CacheReader } from '../../../cache/reader.ts';
import { secrets } from '../../../services/cluster/resources.ts';
import type { ProviderLogin } from '../../../services/dns/provider.ts';
import { secretText } from '../../../services/secretText.ts';

const required = ['apiToken', 'accountId'] as const;

/** The credentials of the DNS provider in their Secret. */
export interface Credentials {
  /** Name of the Secret; empty when none is set. */
  readonly secret: string;
  readonly found: boolean;
  readonly missing: readonly string[];
  readonly login: ProviderLogin;
  readonly zoneName: string;
  readonly zones: string;
}

export function credentialsOf({ spec }: CorePlatformConfig, reader: CacheReader): Credentials {
  const name = spec.dnsConnectionRef?.name ?? '';
  const stored = name === '' ? undefined : reader.get(secrets, name);
  const text = (key: string) => secretText(stored, key).trim();
  return {
    secret: name,
    found: stored !== undefined,
    missing: required.filter((key) => text(key) === ''),
    login: { apiToken: text('apiToken'), accountId: text('accountId') },
    zoneName: text('zoneName'),
    zones: text('zones'),
  };
}
