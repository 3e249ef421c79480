import { Failed, Skeleton } from '../../components/note.tsx';
import { InstanceBanner } from '../instance/instanceBanner.tsx';
import { useReading } from '../instance/reading.ts';
import { platformId } from './platformId.ts';

interface PlatformBannerProps {
  readonly machine: 'dashboardDomainReady' | 'dnsProviderReady';
}

/** What the platform found out about a setting, why, and when it checks again. */
export function PlatformBanner({ machine }: PlatformBannerProps) {
  const reading = useReading({ machine, id: platformId });
  const { value, failed, readAt, reload } = reading.instance;
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && <Skeleton height={120} />}
      {value && <InstanceBanner reading={reading} instance={value} />}
    </>
  );
}
