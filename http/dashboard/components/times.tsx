import { computed, useSignal } from '@preact/signals';
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { type Check, nextCheckMs } from '../../../rules/nextCheck.ts';
import { now } from '../store/clock.ts';
import { ago, exactSpan, span, until, zonedTime } from '../model/time.ts';

/** Whether a row is one stop for the keyboard, so that the times in it are none of their own. */
export const InRow = createContext(false);

interface StampProps {
  readonly at: string;
  /** What is shown on hover and focus. */
  readonly tip: string;
  readonly children: ComponentChildren;
}

/** A time in words; the whole of it shows on hover and on focus. */
function Stamp({ at, tip, children }: StampProps) {
  const isInRow = useContext(InRow);
  const corner = useSignal<{ readonly left: number; readonly top: number } | null>(null);
  const show = (event: Event & { readonly currentTarget: HTMLElement }) => {
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    corner.value = { left, top: bottom };
  };
  const hide = () => (corner.value = null);
  return (
    <time
      class="stamp"
      dateTime={at}
      aria-description={tip}
      tabIndex={isInRow ? undefined : 0}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      {corner.value && <Tip text={tip} {...corner.value} />}
    </time>
  );
}

/** In the top layer, where no table cuts it off. */
function Tip({ text, left, top }: { readonly text: string; readonly left: number; readonly top: number }) {
  const tip = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const shown = tip.current;
    if (!shown) return;
    shown.showPopover();
    shown.style.left = `${Math.max(0, Math.min(left, innerWidth - shown.offsetWidth - 8))}px`;
    shown.style.top = `${top + shown.offsetHeight > innerHeight ? top - shown.offsetHeight - 24 : top}px`;
  }, [left, top]);
  return (
    <span ref={tip} class="tip" popover="manual" aria-hidden="true">
      {text}
    </span>
  );
}

/** How long something has lasted; seconds tick in the first minute. For some things the start is not stored. */
export function Since({ at }: { readonly at: string }) {
  const text = useMemo(() => computed(() => span(now.value - Date.parse(at))), [at]);
  return at === '' ? (
    <>an unknown time</>
  ) : (
    <Stamp at={at} tip={zonedTime(Date.parse(at))}>
      {text}
    </Stamp>
  );
}

/** The time until something happens by itself, counting down, and from the next interval on where it has one. */
export function Countdown({ at, everyMs }: Check) {
  const due = useMemo(() => computed(() => nextCheckMs({ at, everyMs }, now.value)), [at, everyMs]);
  const text = useMemo(() => computed(() => until(due.value - now.value)), [due]);
  const dueMs = due.value;
  return (
    <Stamp at={dueMs === Date.parse(at) ? at : new Date(dueMs).toISOString()} tip={zonedTime(dueMs)}>
      {text}
    </Stamp>
  );
}

/** How long something took. */
export function Spent({ from, to }: { readonly from: string; readonly to: string }) {
  const ms = Date.parse(to) - Date.parse(from);
  return (
    <Stamp at={to} tip={`${exactSpan(ms)}, until ${zonedTime(Date.parse(to))}`}>
      {span(ms)}
    </Stamp>
  );
}

/** How long ago something was. */
export function Ago({ at }: { readonly at: string }) {
  const text = useMemo(() => computed(() => ago(now.value - Date.parse(at))), [at]);
  return (
    <Stamp at={at} tip={zonedTime(Date.parse(at))}>
      {text}
    </Stamp>
  );
}

interface AtProps {
  readonly at: string;
  /** Its day, or its time by the clock. */
  readonly children: ComponentChildren;
}

/** A time of which only a part is shown. */
export const At = ({ at, children }: AtProps) => (
  <Stamp at={at} tip={zonedTime(Date.parse(at))}>
    {children}
  </Stamp>
);
