/** Waits until something holds; fails with what was waited for. Errors while reading count as not yet. */
export async function until<T>(
  read: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  what: string,
  withinMs = 5_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((go) => setTimeout(go, 5));
  }
}
