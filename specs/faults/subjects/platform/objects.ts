import type { CorePlatformConfig } from '../../../../crds/corePlatformConfig.ts';
import { systemNamespace } from '../../../../crds/names.ts';
import { platformConfigs } from '../../../../runtime/services/cluster/kinds.ts';
import type { TestEnvironment } from '../../../support/environment.ts';

export const inSystem = (name: string) => ({ name, namespace: systemNamespace });

export const configIn = ({ cluster }: TestEnvironment): CorePlatformConfig | undefined =>
  cluster.all(platformConfigs).find(({ metadata }) => metadata.name === 'platform');

/** A record that somebody else made in the zone of the platform. */
export const unmanaged = {
  id: 'foreign',
  type: 'A',
  name: 'www.example.org',
  content: '192.0.2.80',
  proxied: false,
  comment: '',
} as const;
