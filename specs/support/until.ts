/** Far more than a slow and busy machine takes: it only says when to give up. */
export const patienceMs = 120_000;

/** Waits until something holds; fails with what was waited for. */
export async function until<T>(
  read: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  what: string,
  withinMs = patienceMs,
): Promise<T> {
  const from = Date.now();
  for (;;) {
    const value = await read();
    if (value) return value;
    const waitedMs = Date.now() - from;
    if (waitedMs > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    // What takes long is asked for less often: asking costs what is waited for its time.
    await new Promise((go) => setTimeout(go, Math.min(5 + waitedMs / 10, 50)));
  }
}
