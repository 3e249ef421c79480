import { Countdown, Since } from '../../parts/times.tsx';
import { dayTime } from '../../words/time.ts';
import type { DeviceRequest } from './request.ts';

interface RequestFactsProps {
  readonly request: DeviceRequest;
  /** Whether it still waits for a decision. */
  readonly isOpen: boolean;
}

/** What is known of whoever asks. The client names itself, so its name proves nothing. */
export const RequestFacts = ({ request, isOpen }: RequestFactsProps) => (
  <dl class="facts facts-plain">
    <dt>Code</dt>
    <dd>
      <span class="code-shown mono">{request.user_code}</span>
    </dd>
    <dt>Client</dt>
    <dd>
      {request.client} <span class="muted">as it calls itself</span>
    </dd>
    <dt>Address</dt>
    <dd class="mono">{request.address}</dd>
    <dt>Asked</dt>
    <dd>
      <Since at={request.issuedAt} /> ago
    </dd>
    <dt>{isOpen ? 'Expires' : 'Valid until'}</dt>
    <dd>
      {isOpen ? (
        <Countdown at={request.expiresAt} />
      ) : (
        <time dateTime={request.expiresAt}>{dayTime(Date.parse(request.expiresAt))}</time>
      )}
    </dd>
  </dl>
);
