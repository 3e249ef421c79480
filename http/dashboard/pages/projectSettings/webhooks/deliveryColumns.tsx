import type { DeliveryItem } from '../../../../api.ts';
import { LongText } from '../../../components/longText.tsx';
import { StateChip } from '../../../components/stateChip.tsx';
import type { TableColumn } from '../../../components/table/tableColumn.ts';
import { Ago, Countdown } from '../../../components/times.tsx';
import { addressOf } from '../../../routes.ts';
import { mayAct } from '../../../store/session.ts';
import { answerWord, attemptsWord } from './text.ts';

/** The columns of a delivery: what it told of, how it went, and when. */
export const deliveryColumns = (
  project: string,
  onRedeliver: (delivery: string) => void,
): readonly TableColumn<DeliveryItem>[] => [
  {
    label: 'Event',
    cell: ({ deliveryId, event }) => (
      <a class="mono" href={addressOf.instance('webhookDelivery', `coreprojects:${project}:${deliveryId}`)}>
        {event}
      </a>
    ),
  },
  {
    label: 'Service',
    isNamed: true,
    cell: ({ service, environment }) =>
      service === '' ? (
        <span class="muted">none</span>
      ) : (
        <a href={addressOf.service({ project, environment, name: service })}>{service}</a>
      ),
  },
  { label: 'Result', look: 'wrap', isNamed: true, cell: (delivery) => <Result delivery={delivery} /> },
  { label: 'When', look: 'nowrap', isNamed: true, cell: ({ time }) => <Ago at={time} /> },
  {
    label: 'Redeliver',
    cell: ({ deliveryId, event, service, canRepeat }) =>
      mayAct() &&
      canRepeat && (
        <button
          type="button"
          class="button button-small"
          aria-label={`Redeliver ${event}${service === '' ? '' : ` of ${service}`}`}
          onClick={() => onRedeliver(deliveryId)}
        >
          Redeliver
        </button>
      ),
  },
];

const Result = ({ delivery }: { readonly delivery: DeliveryItem }) => (
  <>
    <StateChip state={delivery.state} shown={delivery.state} /> <LongText text={answerWord(delivery)} />
    <div class="muted small">
      {attemptsWord(delivery)}
      {delivery.nextAttempt !== null && (
        <>
          {', next '}
          <Countdown at={delivery.nextAttempt} />
        </>
      )}
    </div>
  </>
);
