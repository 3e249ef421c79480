import type { Deployment, Read } from '../../../../api.ts';
import { pathTo } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Empty } from '../../../components/empty.tsx';
import { Table } from '../../../components/table/table.tsx';
import type { TableColumn } from '../../../components/table/tableColumn.ts';
import { programName } from '../../../model/command.ts';
import { StateChip } from '../../../components/stateChip.tsx';
import { Ago, At } from '../../../components/times.tsx';
import { Value } from '../../../components/value.tsx';
import { ofRecords } from '../../../kindPages/service/concerns.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { type Attempt, attemptsOf, type Outcome, outcomesOf } from '../../../model/attempts.ts';
import { deployLogOf } from './model.ts';
import { short } from '../../../model/plural.ts';
import { clockTime } from '../../../model/time.ts';

/** What was deployed, when and by whom; the outcome is of the attempts and of Ready, not of the records (DEP-064). */
export function Deployments({ read }: { readonly read: Read }) {
  const { name } = read.resource;
  const loaded = useLoaded(pathTo('GET /apps/{app}/deployments', { app: name }), ofRecords(name));
  return (
    <Card title="Deployments" actions={<span class="muted small">newest first</span>}>
      <Loaded
        of={loaded}
        height={240}
        empty={
          <Empty
            title="No deployment yet"
            text="Each deploy is recorded here."
            command={`${programName} deploy ${name}`}
          />
        }
      >
        {({ items }) => (
          <Table
            look="stacked"
            columns={columns}
            rows={rowsOf(items, attemptsOf(read.status))}
            keyOf={({ item }) => item.id}
            detailOf={(row) => <DeployLog {...row} />}
          />
        )}
      </Loaded>
    </Card>
  );
}

interface Row {
  readonly item: Deployment;
  readonly outcome: Outcome | undefined;
}

const rowsOf = (items: readonly Deployment[], attempts: readonly Attempt[]): readonly Row[] => {
  const outcomes = outcomesOf(items, attempts);
  return items.map((item, index) => ({ item, outcome: outcomes[index] }));
};

const columns: readonly TableColumn<Row>[] = [
  { label: 'Outcome', cell: ({ outcome }) => outcome && <StateChip state={outcome.state} shown={outcome.label} /> },
  {
    label: 'Deployment',
    look: 'nowrap',
    cell: ({ item: { id } }) => (
      <>
        <span class="mono">{id}</span>
        <CopyButton text={id} what={`the name ${id}`} />
      </>
    ),
  },
  { label: 'What', isNamed: true, cell: ({ item: { changeTitle, trigger } }) => changeTitle || trigger },
  {
    label: 'Image or commit',
    look: 'mono wrap',
    isNamed: true,
    cell: ({ item: { commit, image } }) => (
      <Value value={short(commit) || image} redacted>
        {(text) => <>{text}</>}
      </Value>
    ),
  },
  { label: 'By', isNamed: true, cell: ({ item: { actor } }) => actor },
  {
    label: 'Started',
    look: 'nowrap muted small',
    isNamed: true,
    cell: ({ item: { startedAt, createdAt } }) => <Ago at={startedAt ?? createdAt} />,
  },
];

/** What happened in a deployment. */
const DeployLog = ({ item, outcome }: Row) => (
  <details>
    <summary aria-label={`Deploy log of ${item.id}`}>Deploy log</summary>
    <ol>
      {deployLogOf(item, outcome?.attempt ?? null).map(({ at, text, isError }) => (
        <li key={`${at} ${text}`} data-tone={isError ? 'bad' : undefined}>
          <At at={at}>{clockTime(Date.parse(at))}</At> {text}
        </li>
      ))}
    </ol>
  </details>
);
