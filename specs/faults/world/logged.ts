import { type Layer, Logger, References } from 'effect';

/** A logger that keeps every line it is given, fields and all. */
export const keeping = (lines: string[]): Layer.Layer<never> =>
  Logger.layer([
    Logger.make(({ message, fiber, cause }) => {
      lines.push(JSON.stringify([message, fiber.getRef(References.CurrentLogAnnotations), cause.reasons]));
    }),
  ]);
