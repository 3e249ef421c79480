import type { Settings } from '../../../api.ts';
import { api } from '../../api.ts';
import { ofKinds } from '../../kinds/service/concerns.ts';
import { Frame } from '../../parts/frame.tsx';
import { Failed, Skeleton } from '../../parts/note.tsx';
import type { PlatformPage as Page } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { platformWords } from '../../words/platform.ts';
import { Clusters } from './clusters.tsx';
import { Connectors } from './connectors.tsx';
import { Domain } from './domain.tsx';
import { NodesPage } from './nodes.tsx';
import { Registry } from './registry.tsx';
import { SettingsTabs } from './settingsTabs.tsx';

const views = { domain: Domain, connectors: Connectors, registry: Registry } as const;

/** Settings of the platform: what it is reached by, what it pushes to, and what it runs on. */
export function PlatformPage({ page }: { readonly page: Page }) {
  const title = platformWords[page];
  return (
    <Frame title={title}>
      <div class="stack">
        <h1>{title}</h1>
        <SettingsTabs current={page} />
        {page === 'clusters' && <Clusters />}
        {page === 'nodes' && <NodesPage />}
        {page !== 'clusters' && page !== 'nodes' && <OfConfig page={page} />}
      </div>
    </Frame>
  );
}

function OfConfig({ page }: { readonly page: keyof typeof views }) {
  const { value, failed, readAt, reload } = useLoaded<Settings>(
    api.settings,
    ofKinds('CorePlatformConfig', 'CoreCluster', 'CoreNode'),
  );
  const View = views[page];
  return (
    <>
      <Failed failed={failed} readAt={readAt} retry={reload} />
      {value === null && failed === null && <Skeleton height={240} />}
      {value && <View settings={value} onSaved={reload} />}
    </>
  );
}
