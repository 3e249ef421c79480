import { computed, signal } from '@preact/signals';

const offsetMs = signal(0);
const browserNow = signal(Date.now());

/** The server's time, to the second: countdowns do not depend on the clock of the reader's machine. */
export const now = computed(() => browserNow.value + offsetMs.value);

/** Takes the server's word for what time it is. */
export function setServerTime(rfc3339: string): void {
  const at = Date.parse(rfc3339);
  if (!Number.isNaN(at)) offsetMs.value = at - Date.now();
}

/** Lets the time go on; a hidden page needs none. */
export function startClock(): void {
  const tick = () => (browserNow.value = Date.now());
  setInterval(() => document.visibilityState === 'visible' && tick(), 1000);
  document.addEventListener('visibilitychange', tick);
}
