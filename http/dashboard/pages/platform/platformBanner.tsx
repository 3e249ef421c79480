import { Loaded } from '../../components/loaded.tsx';
import { InstanceBanner } from '../instance/instanceBanner.tsx';
import { useReading } from '../instance/reading.ts';
import { platformId } from './platformId.ts';

interface PlatformBannerProps {
  readonly machine: 'dashboardDomainReady' | 'dnsProviderReady';
}

/** What the platform found out about a setting, why, and when it checks again. */
export function PlatformBanner({ machine }: PlatformBannerProps) {
  const reading = useReading({ machine, id: platformId });
  const loaded = reading.instance;
  return (
    <>
      <Loaded of={loaded} height={120}>
        {(value) => <InstanceBanner reading={reading} instance={value} />}
      </Loaded>
    </>
  );
}
