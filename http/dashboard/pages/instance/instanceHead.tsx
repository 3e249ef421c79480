import type { InstanceRead } from '../../../api.ts';
import { Actions } from '../../parts/actionButton.tsx';
import { CopyButton } from '../../parts/copy.tsx';
import { StateChip } from '../../parts/stateChip.tsx';
import { Since } from '../../parts/times.tsx';
import { addressOf } from '../../routes.ts';
import { lookAt } from './look.ts';
import { api } from '../../api.ts';

interface InstanceHeadProps {
  readonly machine: string;
  readonly id: string;
  readonly instance: InstanceRead | null;
  readonly onDone: () => void;
}

/** Which instance, where it stands and since when, and what may be asked of it. */
export const InstanceHead = ({ machine, id, instance, onDone }: InstanceHeadProps) => (
  <div class="page-head">
    <div>
      <p class="crumb">
        <a href={addressOf.machines()}>Machines</a> / <a href={addressOf.machine(machine)}>{machine}</a> /
      </p>
      <div class="row">
        <h1>{instance?.name ?? id}</h1>
        {instance && <CopyButton text={instance.name} what="the name" />}
      </div>
      <div class="row" style={{ marginTop: '8px', minHeight: '28px' }}>
        {instance && (
          <>
            <span role="status">
              <StateChip state={instance.state} shown={instance.shown} large />
            </span>
            <span class="muted">
              for <Since at={instance.since} />
            </span>
            <span class="muted small">{placeOf(instance)}</span>
            {instance.retrying && <span class="flag">retrying</span>}
            {instance.paused && <span class="flag">paused</span>}
          </>
        )}
      </div>
    </div>
    {instance && <Actions label="Ask for" actions={[lookAt(`${api.instance(machine, id)}/look`)]} onDone={onDone} />}
  </div>
);

const placeOf = ({ kind, project, environment }: InstanceRead): string =>
  [kind, project, environment].filter((part) => part !== '').join(' · ');
