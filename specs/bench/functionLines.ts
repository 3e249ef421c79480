import { functionFigures } from './functions.ts';
import { type Line, times } from './line.ts';

/** Each runtime beside the same handler in a bare server; each is printed before the next one is begun. */
export async function* functions(): AsyncGenerator<Line> {
  for await (const { runtime, ratio, oursMs } of functionFigures())
    yield {
      what: `a function's answer on ${runtime}, against the same handler in a bare server`,
      figure: `${times(ratio)} (${oursMs.toFixed(2)} ms)`,
      budget: '≤ 1.3 ×',
      holds: ratio <= 1.3,
    };
}
