import { now } from '../store/clock.ts';
import { dayTime, span, until } from '../words/time.ts';

/** The time since a moment, ticking. */
export const Since = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={dayTime(Date.parse(at))}>
    {span(now.value - Date.parse(at))}
  </time>
);

/** The time until something happens by itself, counting down. */
export const Countdown = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={dayTime(Date.parse(at))}>
    {until(Date.parse(at) - now.value)}
  </time>
);
