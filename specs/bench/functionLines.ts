import { fetchBun } from '../support/bun.ts';
import { functionFigures } from './functions.ts';
import { type Line, times } from './line.ts';

/** Each runtime beside the same handler in a bare server; each is printed before the next one is begun. */
export async function* functions(): AsyncGenerator<Line> {
  const lacking = await fetchBun();
  if (lacking !== null) yield { what: 'functions on bun', figure: `skipped: ${lacking}`, budget: '-', holds: true };
  const runtimes = lacking === null ? (['node', 'bun', 'python'] as const) : (['node', 'python'] as const);
  for await (const { runtime, ratio, oursMs } of functionFigures(runtimes))
    yield {
      what: `a function's answer on ${runtime}, against the same handler in a bare server`,
      figure: `${times(ratio)} (${oursMs.toFixed(2)} ms)`,
      budget: '≤ 1.3 ×',
      holds: ratio <= 1.3,
    };
}
