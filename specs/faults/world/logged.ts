import { Context, Logger, References } from 'effect';

const shown = (_: string, value: unknown) => (value instanceof Error ? (value.stack ?? value.message) : value);

/** The services, with every line that is logged kept here: its level first, then what it says, its fields and its cause. */
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

/** What is never logged but by a process that broke a promise of its own: a pass that crashed. */
export const crashesIn = (lines: readonly string[]): readonly string[] => [
  ...new Set(lines.filter((line) => /^(Error|Fatal) /.test(line)).map((line) => line.slice(0, 600))),
];
