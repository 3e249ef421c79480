import { Card } from '../../components/card.tsx';
import { CauseCell } from '../../components/cause/causeCell.tsx';
import { Table } from '../../components/table/table.tsx';
import { useSharedServers } from '../../kindPages/lists.ts';
import { Empty } from '../../components/empty.tsx';
import { Frame } from '../../components/frame.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Since } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import type { Summary } from '../../../api.ts';
import { detailOf } from '../../model/details.ts';
import { sharedAmong } from './model.ts';
import { stateWord } from '../../model/state.ts';
import { NewSharedServer } from './newSharedServer.tsx';
import { SettingsTabs } from '../../components/settings/settingsTabs.tsx';
import { pageHelp, noServerText } from './text.ts';

/** Settings, Databases: the servers that all projects share. */
export function SharedServersPage() {
  const loaded = useSharedServers();
  const { reload } = loaded;
  return (
    <Frame title="Databases">
      <div class="stack">
        <div>
          <h1>Databases</h1>
          <p class="muted">{pageHelp}</p>
        </div>
        <SettingsTabs current="databases" />
        <Loaded of={loaded} height={160}>
          {(value) => <Servers servers={sharedAmong(value.items)} />}
        </Loaded>
        <div class="narrow">
          <NewSharedServer onMade={reload} />
        </div>
      </div>
    </Frame>
  );
}

const Servers = ({ servers }: { readonly servers: readonly Summary[] }) => (
  <Card title="Shared servers">
    {servers.length === 0 ? (
      <Empty title="No shared server yet" text={noServerText} />
    ) : (
      <Table
        columns={[
          { label: 'State', cell: (server) => <StateChip state={server.state} shown={stateWord(server.state)} /> },
          {
            label: 'Name',
            cell: (server) => (
              <a class="strong" href={addressOf.database(server)}>
                {server.displayName}
              </a>
            ),
          },
          { label: 'Engine', cell: (server) => detailOf(server, 'engine') },
          { label: 'Region', cell: (server) => detailOf(server, 'region') || 'any' },
          {
            label: 'Cause',
            look: 'small',
            cell: (server) => <CauseCell owner={server} cause={server.cause} message={server.message} />,
          },
          { label: 'Age', look: 'nowrap muted', cell: (server) => <Since at={server.createdAt} /> },
        ]}
        rows={servers}
        keyOf={(server) => server.name}
      />
    )}
  </Card>
);
