import { pathTo } from '../../api.ts';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import type { PlatformPage as Page } from '../../routes.ts';
import { useLoaded } from '../../store/loaded.ts';
import { platformWords } from './model.ts';
import { Clusters } from './clusters.tsx';
import { Connectors } from './connectors.tsx';
import { Domain } from './domain.tsx';
import { NodesPage } from './nodes.tsx';
import { Registry } from './registry.tsx';
import { SettingsTabs } from '../../components/settings/settingsTabs.tsx';
import { UsagePage } from './usagePage.tsx';

/** The pages of the platform's own settings, and those that read something else. */
const views = { domain: Domain, connectors: Connectors, registry: Registry } as const;
const others = { usage: UsagePage, clusters: Clusters, nodes: NodesPage } as const;

const isOther = (page: Page): page is keyof typeof others => page in others;

/** Settings of the platform: what it is reached by, what it pushes to, and what it runs on. */
export function PlatformPage({ page }: { readonly page: Page }) {
  const title = platformWords[page];
  return (
    <Frame title={title}>
      <div class="stack">
        <h1>{title}</h1>
        <SettingsTabs current={page} />
        <Shown page={page} />
      </div>
    </Frame>
  );
}

function Shown({ page }: { readonly page: Page }) {
  if (!isOther(page)) return <OfConfig page={page} />;
  const Other = others[page];
  return <Other />;
}

function OfConfig({ page }: { readonly page: keyof typeof views }) {
  const loaded = useLoaded(pathTo('GET /settings', {}), ofKinds('CorePlatformConfig', 'CoreCluster', 'CoreNode'));
  const { reload } = loaded;
  const View = views[page];
  return (
    <>
      <Loaded of={loaded} height={240}>
        {(value) => <View settings={value} onSaved={reload} />}
      </Loaded>
    </>
  );
}
