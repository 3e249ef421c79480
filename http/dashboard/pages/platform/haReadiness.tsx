import { useSignal } from '@preact/signals';
import { pathTo, write } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { ofKinds } from '../../kindPages/service/concerns.ts';
import { Fact, Moment } from '../../components/fact.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Refused } from '../../components/refused.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { useLoaded } from '../../store/loaded.ts';
import { type Readiness, readinessOf } from '../sharedServers/model.ts';

/** Whether the cluster can keep a database available while a node is away. Only a check writes the report. */
export function HaReadiness() {
  const loaded = useLoaded(pathTo('GET /ha-readiness', {}), ofKinds('CoreHAReadiness'));
  const { reload } = loaded;
  const busy = useSignal(false);
  const refused = useSignal('');
  const check = async () => {
    if (busy.value) return;
    busy.value = true;
    const answer = await write('POST /ha-readiness/check', {});
    busy.value = false;
    refused.value = answer.is === 'ok' ? '' : answer.error;
    reload();
  };
  return (
    <Card
      title="HA readiness"
      actions={
        <button type="button" class="button button-small row-end" aria-busy={busy.value} onClick={() => void check()}>
          {busy.value ? 'Checking …' : 'Run readiness check'}
        </button>
      }
    >
      <Loaded of={loaded} height={120}>
        {(value) => <Result {...readinessOf(value)} />}
      </Loaded>
      <Refused text={refused.value} inCard />
    </Card>
  );
}

const Result = ({ healthyNodes, ready, checkedAt }: Readiness) =>
  checkedAt === null ? (
    <p class="card-body muted">Not checked yet.</p>
  ) : (
    <dl class="facts facts-panel">
      <Fact name="Result">
        <StateChip state={ready ? 'Ready' : 'Waiting'} shown={ready ? 'Ready' : 'Not ready'} />
      </Fact>
      <Fact name="Healthy nodes">{healthyNodes} of at least 3</Fact>
      <Fact name="Checked">
        <Moment at={checkedAt} />
      </Fact>
    </dl>
  );
