import type { DeliveryItem, Items } from '../../../../api.ts';
import { ofProject } from '../../../kinds/service/concerns.ts';
import { LongText } from '../../../parts/longText.tsx';
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

/** What was sent to a receiver and what it answered, the newest first, as it happens. */
export function DeliveryLog({ project, path, onRedeliver }: DeliveryLogProps) {
  const { value, failed, readAt, reload } = useLoaded<Items<DeliveryItem>>(`${path}/deliveries`, ofProject(project));
  if (value === null)
    return failed ? <Failed failed={failed} readAt={readAt} retry={reload} /> : <Skeleton height={60} />;
  if (value.items.length === 0)
    return <p class="muted small">Nothing was sent yet; the project keeps its newest 20.</p>;
  return (
    <ul>
      {value.items.map((one) => (
        <Row key={one.deliveryId} project={project} delivery={one} onRedeliver={onRedeliver} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly project: string;
  readonly delivery: DeliveryItem;
  readonly onRedeliver: (delivery: string) => void;
}

const Row = ({ project, delivery, onRedeliver }: RowProps) => (
  <li class="alert delivery">
    <a href={addressOf.instance('webhookDelivery', `coreprojects:${project}:${delivery.deliveryId}`)}>
      <StateChip state={delivery.state} shown={delivery.state} />
    </a>
    <span class="alert-name">
      <span class="mono strong">{delivery.event}</span>{' '}
      <span class="muted small">
        {attemptsWord(delivery)}
        {delivery.nextAttempt !== null && (
          <>
            {', next '}
            <Countdown at={delivery.nextAttempt} />
          </>
        )}
      </span>
    </span>
    <span class="alert-text">
      <LongText text={answerWord(delivery)} />
    </span>
    <span class="muted small nowrap">
      <Ago at={delivery.time} />
    </span>
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
  </li>
);
