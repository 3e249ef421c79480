import type { Deployment, Items, Read } from '../../../../api.ts';
import { api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Columns } from '../../../components/columns.tsx';
import { CopyButton } from '../../../components/copy.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Empty } from '../../../components/empty.tsx';
import { ScrollBox } from '../../../components/scrollBox.tsx';
import { programName } from '../../../model/command.ts';
import { StateChip } from '../../../components/stateChip.tsx';
import { Ago, At } from '../../../components/times.tsx';
import { Value } from '../../../components/value.tsx';
import { ofRecords } from '../../../kindPages/service/concerns.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { attemptsOf, type Outcome, outcomesOf } from '../../../model/attempts.ts';
import { deployLogOf } from './model.ts';
import { short } from '../../../model/plural.ts';
import { clockTime } from '../../../model/time.ts';

const columns = ['Outcome', 'Deployment', 'What', 'Image or commit', 'By', 'Started'];

/** What was deployed, when and by whom; the outcome is of the attempts and of Ready, not of the records (DEP-064). */
export function Deployments({ read }: { readonly read: Read }) {
  const { name } = read.resource;
  const loaded = useLoaded<Items<Deployment>>(api.ofApp(name, 'deployments'), ofRecords(name));
  const { value } = loaded;
  const outcomes = outcomesOf(value?.items ?? [], attemptsOf(read.status));
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
        {(value) => (
          <ScrollBox>
            <table class="stacked">
              <Columns names={columns} />
              <tbody>
                {value.items.map((item, index) => (
                  <Row key={item.id} item={item} outcome={outcomes[index]} />
                ))}
              </tbody>
            </table>
          </ScrollBox>
        )}
      </Loaded>
    </Card>
  );
}

interface RowProps {
  readonly item: Deployment;
  readonly outcome: Outcome | undefined;
}

/** A deployment, and under it what happened in it. */
const Row = ({ item, outcome }: RowProps) => (
  <>
    <Told item={item} outcome={outcome} />
    <tr class="deploy-log">
      <td colSpan={columns.length}>
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
      </td>
    </tr>
  </>
);

const Told = ({ item, outcome }: RowProps) => (
  <tr>
    <td>{outcome && <StateChip state={outcome.state} shown={outcome.word} />}</td>
    <td class="nowrap">
      <span class="mono">{item.id}</span>
      <CopyButton text={item.id} what={`the name ${item.id}`} />
    </td>
    <td data-name={columns[2]}>{item.changeTitle || item.trigger}</td>
    <td class="mono wrap" data-name={columns[3]}>
      <Value value={short(item.commit) || item.image} redacted>
        {(text) => <>{text}</>}
      </Value>
    </td>
    <td data-name={columns[4]}>{item.actor}</td>
    <td class="nowrap muted small" data-name={columns[5]}>
      <Ago at={item.startedAt ?? item.createdAt} />
    </td>
  </tr>
);
