import type { DeliveryItem } from '../../../../api.ts';
import { LongText } from '../../../components/longText.tsx';
import { StateChip } from '../../../components/stateChip.tsx';
import { Ago, Countdown } from '../../../components/times.tsx';
import { addressOf } from '../../../routes.ts';
import { mayAct } from '../../../store/session.ts';
import { answerWord, attemptsWord } from './text.ts';

interface DeliveryRowProps {
  readonly project: string;
  readonly delivery: DeliveryItem;
  readonly onRedeliver: (delivery: string) => void;
}

/** One delivery: what it told of, how it went, and when. */
export const DeliveryRow = ({ project, delivery, onRedeliver }: DeliveryRowProps) => {
  const { deliveryId, event, service, environment, state, time, nextAttempt, canRepeat } = delivery;
  return (
    <tr>
      <td>
        <a class="mono" href={addressOf.instance('webhookDelivery', `coreprojects:${project}:${deliveryId}`)}>
          {event}
        </a>
      </td>
      <td data-name="Service">
        {service === '' ? (
          <span class="muted">none</span>
        ) : (
          <a href={addressOf.service({ project, environment, name: service })}>{service}</a>
        )}
      </td>
      <td class="wrap" data-name="Result">
        <StateChip state={state} shown={state} /> <LongText text={answerWord(delivery)} />
        <div class="muted small">
          {attemptsWord(delivery)}
          {nextAttempt !== null && (
            <>
              {', next '}
              <Countdown at={nextAttempt} />
            </>
          )}
        </div>
      </td>
      <td class="nowrap" data-name="When">
        <Ago at={time} />
      </td>
      <td>
        {mayAct() && canRepeat && (
          <button
            type="button"
            class="button button-small"
            aria-label={`Redeliver ${event}${service === '' ? '' : ` of ${service}`}`}
            onClick={() => onRedeliver(deliveryId)}
          >
            Redeliver
          </button>
        )}
      </td>
    </tr>
  );
};
