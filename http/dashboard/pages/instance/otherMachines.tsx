import type { InstanceRead } from '../../../api.ts';
import { Card } from '../../components/card.tsx';
import { Empty } from '../../components/empty.tsx';
import { StateChip } from '../../components/stateChip.tsx';
import { Since } from '../../components/times.tsx';
import { addressOf } from '../../routes.ts';
import { objectIdOf } from '../../model/objectPages.ts';

/** The states of the object's other machines, which step in the same passes and read each other. */
export const OtherMachines = ({ instance: { id, kind, others } }: { readonly instance: InstanceRead }) => (
  <Card
    title="Other machines"
    label="Other machines of the object"
    actions={<span class="muted small">of this {kind}</span>}
  >
    {others.length === 0 ? (
      <Empty title="No other machine" text={`A ${kind} has no other lifecycle.`} />
    ) : (
      <div class="card-body">
        <dl class="facts facts-plain">
          {others.map(({ machine, state, shown, since }) => (
            <>
              <dt key={machine}>
                <a href={addressOf.instance(machine, objectIdOf(id))}>{machine}</a>
              </dt>
              <dd key={`${machine}-state`}>
                <StateChip state={state} shown={shown} />{' '}
                <span class="muted small">
                  for <Since at={since} />
                </span>
              </dd>
            </>
          ))}
        </dl>
      </div>
    )}
  </Card>
);
