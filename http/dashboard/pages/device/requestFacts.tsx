import type { DeviceReview } from '../../../api.ts';
import { Countdown, Since } from '../../components/times.tsx';

interface RequestFactsProps {
  readonly request: DeviceReview;
  /** Its state now. */
  readonly state: DeviceReview['state'];
}

/** The facts of the client. It names itself, so its name proves nothing. */
export const RequestFacts = ({ request, state }: RequestFactsProps) => (
  <dl class="facts facts-plain">
    <dt>Code</dt>
    <dd>
      <span class="code-shown mono">{request.user_code}</span>
    </dd>
    <dt>Client</dt>
    <dd>
      {request.client} <span class="muted">name given by the client</span>
    </dd>
    <dt>Address</dt>
    <dd class="mono">{request.address}</dd>
    <dt>Asked</dt>
    <dd>
      <Since at={request.issuedAt} /> ago
    </dd>
    {state === 'pending' && (
      <>
        <dt>Expires</dt>
        <dd>
          <Countdown at={request.expiresAt} />
        </dd>
      </>
    )}
    {state === 'expired' && (
      <>
        <dt>Expired</dt>
        <dd>
          <Since at={request.expiresAt} /> ago
        </dd>
      </>
    )}
  </dl>
);
