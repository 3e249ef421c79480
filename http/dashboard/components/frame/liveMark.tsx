import { lastHeard, link } from '../../store/live.ts';
import { now } from '../../store/clock.ts';
import { silenceMs } from '../../stream/openStream.ts';
import { clockTime } from '../../model/time.ts';

/** Whether the shown data is current, in words: stale data is never silent. */
export function LiveMark() {
  const silent = now.value > 0 && lastHeard.value > 0 && Date.now() - lastHeard.value > silenceMs;
  const is = link.value.is === 'live' && silent ? 'reconnecting' : link.value.is;
  return (
    <span class="live" data-link={is} title={lastHeard.value === 0 ? '' : `Last update ${clockTime(lastHeard.value)}`}>
      <Mark live={is === 'live'} />
      <span role="status">{inWords(is)}</span>
    </span>
  );
}

function inWords(is: (typeof link.value)['is']): string {
  switch (is) {
    case 'live':
      return 'Live';
    case 'hidden':
      return 'Paused while hidden';
    case 'signedOut':
      return 'Signed out';
    case 'connecting':
      return 'Connecting…';
    case 'reconnecting':
      return lastHeard.value === 0 ? 'Reconnecting' : `Reconnecting, data from ${clockTime(lastHeard.value)}`;
  }
}

const Mark = ({ live }: { readonly live: boolean }) => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
    <circle cx="5" cy="5" r="3.6" fill={live ? 'currentColor' : 'none'} stroke="currentColor" stroke-width="1.8" />
  </svg>
);
