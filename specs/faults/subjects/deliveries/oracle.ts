import { signatureOf } from '../../../../rules/webhookDelivery/request.ts';
import type { ReceiverRequest } from '../../../../runtime/services/receivers.ts';
import type { TestEnvironment } from '../../../support/environment.ts';
import type { Oracle } from '../subject.ts';
import { deliveriesIn, isAnnounced, isUnbuilt, signingSecret } from './objects.ts';

const idOf = ({ headers }: ReceiverRequest): string => headers['X-Core-Delivery'] ?? '';

const isSigned = ({ headers, body }: ReceiverRequest): boolean => {
  const timestamp = Number(headers['X-Core-Timestamp']);
  return headers['X-Core-Signature'] === `t=${timestamp},v1=${signatureOf(signingSecret, timestamp, body)}`;
};

/** More than three requests of one delivery, or two bodies under one id. */
function faultsOfRequests(got: readonly ReceiverRequest[]): readonly string[] {
  const ids = [...new Set(got.map(idOf))];
  return ids.flatMap((id) => {
    const own = got.filter((one) => idOf(one) === id);
    return [
      ...(own.length > 3 ? [`delivery ${id} was sent ${own.length} times`] : []),
      ...(new Set(own.map(({ body }) => body)).size > 1 ? [`delivery ${id} has several bodies`] : []),
    ];
  });
}

const hasSucceeded = (environment: TestEnvironment) =>
  deliveriesIn(environment).some(({ event }) => event === 'deployment.succeeded');

/** What must hold of deliveries under every fault: no fourth attempt, nothing unsigned, no event doubled or lost. */
export function deliveriesOracle(environment: TestEnvironment, hasUserEdits: boolean): Oracle {
  const { got } = environment.receivers;
  const requests = () => [
    ...faultsOfRequests(got),
    ...(hasUserEdits || got.every(isSigned) ? [] : ['something was sent unsigned']),
  ];
  return {
    look: () => [
      ...requests(),
      ...(hasUserEdits || !isUnbuilt(environment) || !hasSucceeded(environment)
        ? []
        : ['a deploy succeeded before its build']),
    ],
    atRest: () => {
      const deliveries = deliveriesIn(environment);
      const events = deliveries.map(({ event }) => event);
      return [
        ...requests(),
        ...(hasUserEdits || new Set(events).size === events.length
          ? []
          : [`an event is told of twice: ${events.join(', ')}`]),
        ...(deliveries.every(({ durationMillis }) => durationMillis !== undefined) ? [] : ['a delivery never ends']),
        ...(hasUserEdits || deliveries.length > 0 ? [] : ['nothing was delivered']),
        ...(hasUserEdits || events.length < 2 || !isAnnounced(environment) ? [] : ['the announcement stays']),
      ];
    },
  };
}
