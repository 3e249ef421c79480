import type { DeliveryItem, Items } from '../../../../api.ts';
import { ofProject } from '../../../kinds/service/concerns.ts';
import { Failed, Skeleton } from '../../../parts/note.tsx';
import { StateChip } from '../../../parts/stateChip.tsx';
import { Ago, Countdown } from '../../../parts/times.tsx';
import { addressOf } from '../../../routes.ts';
import { useLoaded } from '../../../store/loaded.ts';
import { mayAct } from '../../../store/session.ts';
import { answerWord, attemptsWord } from '../../../words/webhooks.ts';

interface DeliveryLogProps {
  readonly project: string;
  readonly path: string;
  readonly onRedeliver: (delivery: string) => void;
}

/** What was sent to a receiver, the newest first, as it happens. */
export function DeliveryLog({ project, path, onRedeliver }: DeliveryLogProps) {
  const { value, failed, readAt, reload } = useLoaded<Items<DeliveryItem>>(`${path}/deliveries`, ofProject(project));
  if (value === null)
    return failed ? <Failed failed={failed} readAt={readAt} retry={reload} /> : <Skeleton height={60} />;
  if (value.items.length === 0)
    return <p class="muted small">Nothing was sent yet; the project keeps its newest 20.</p>;
  return (
    <div class="scroll-x">
      <table>
        <thead>
          <tr>
            <th scope="col">Result</th>
            <th scope="col">Event</th>
            <th scope="col">Answer</th>
            <th scope="col">Attempts</th>
            <th scope="col">Sent</th>
            <th scope="col">
              <span class="unseen">Redeliver</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value.items.map((one) => (
            <Row key={one.deliveryId} project={project} delivery={one} onRedeliver={onRedeliver} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly project: string;
  readonly delivery: DeliveryItem;
  readonly onRedeliver: (delivery: string) => void;
}

const Row = ({ project, delivery, onRedeliver }: RowProps) => (
  <tr>
    <td>
      <a href={addressOf.instance('webhookDelivery', `coreprojects:${project}:${delivery.deliveryId}`)}>
        <StateChip state={delivery.state} shown={delivery.state} />
      </a>
    </td>
    <th scope="row" class="mono">
      {delivery.event}
      {delivery.error !== '' && <div class="small muted">{delivery.error}</div>}
    </th>
    <td class="mono">{answerWord(delivery)}</td>
    <td>
      {attemptsWord(delivery)}
      {delivery.nextAttempt !== null && (
        <div class="small muted">
          next <Countdown at={delivery.nextAttempt} />
        </div>
      )}
      {delivery.durationMillis !== null && <div class="small muted">{delivery.durationMillis} ms</div>}
    </td>
    <td class="nowrap">
      <Ago at={delivery.time} />
    </td>
    <td>
      {mayAct() && delivery.canRepeat && (
        <button
          type="button"
          class="button button-small"
          aria-label={`Redeliver ${delivery.event}`}
          onClick={() => onRedeliver(delivery.deliveryId)}
        >
          Redeliver
        </button>
      )}
    </td>
  </tr>
);
