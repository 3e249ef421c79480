import { signatureOf } from '../../../../rules/webhookDelivery/request.ts';
import type { ReceiverRequest } from '../../../../runtime/services/receivers.ts';
import type { World } from '../../../support/world.ts';
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

const hasSucceeded = (world: World) => deliveriesIn(world).some(({ event }) => event === 'deployment.succeeded');

/** What must hold of deliveries under every fault: no fourth attempt, nothing unsigned, no event doubled or lost. */
export function deliveriesOracle(world: World, hasUserEdits: boolean): Oracle {
  const { got } = world.receivers;
  const requests = () => [
    ...faultsOfRequests(got),
    ...(hasUserEdits || got.every(isSigned) ? [] : ['something was sent unsigned']),
  ];
  return {
    look: () => [
      ...requests(),
      ...(hasUserEdits || !isUnbuilt(world) || !hasSucceeded(world) ? [] : ['a deploy succeeded before its build']),
    ],
    atRest: () => {
      const deliveries = deliveriesIn(world);
      const events = deliveries.map(({ event }) => event);
      return [
        ...requests(),
        ...(hasUserEdits || new Set(events).size === events.length
          ? []
          : [`an event is told of twice: ${events.join(', ')}`]),
        ...(deliveries.every(({ durationMillis }) => durationMillis !== undefined) ? [] : ['a delivery never ends']),
        ...(hasUserEdits || deliveries.length > 0 ? [] : ['nothing was delivered']),
        ...(hasUserEdits || events.length < 2 || !isAnnounced(world) ? [] : ['the announcement stays']),
      ];
    },
  };
}
