import { Context, Logger, References } from 'effect';

const shown = (_: string, value: unknown) => (value instanceof Error ? (value.stack ?? value.message) : value);

/** The services, with every log line captured: its level first, then its message, its fields and its cause. */
export function withLog<S>(services: Context.Context<S>, lines: string[]): Context.Context<S> {
  const logger = Logger.make(({ logLevel, message, fiber, cause }) => {
    const fields = fiber.getRef(References.CurrentLogAnnotations);
    lines.push(`${logLevel} ${JSON.stringify([message, fields, cause.reasons], shown)}`);
  });
  return services.pipe(
    Context.add(References.MinimumLogLevel, 'All'),
    Context.add(References.CurrentLoggers, new Set([logger])),
  );
}

/** Log lines that only a broken promise of the process itself causes: a crashed pass. */
export const crashesIn = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.filter((line) => /^(Error|Fatal) /.test(line)).map((line) => line.slice(0, 600))),
];
