import { computed, signal } from '@preact/signals';

const offsetMs = signal(0);
const browserNow = signal(Date.now());

/** The server's time, to the second, so that countdowns do not depend on the clock of the reader's machine. */
export const now = computed(() => browserNow.value + offsetMs.value);

/** Adjusts the clock to the server's time. */
export function setServerTime(rfc3339: string): void {
  const at = Date.parse(rfc3339);
  if (!Number.isNaN(at)) offsetMs.value = at - Date.now();
}

/** Starts the clock; a hidden page does not need it. */
export function startClock(): void {
  const tick = () => (browserNow.value = Date.now());
  setInterval(() => document.visibilityState === 'visible' && tick(), 1000);
  document.addEventListener('visibilitychange', tick);
}
