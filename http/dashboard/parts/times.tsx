import { now } from '../store/clock.ts';
import { dayTime, span, until } from '../words/time.ts';

/** How long something has lasted, ticking; for some things the start is not stored. */
export const Since = ({ at }: { readonly at: string }) =>
  at === '' ? (
    <>an unknown time</>
  ) : (
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
