import { readFileSync } from 'node:fs';
import { startProduct } from '../support/product.ts';
import { median } from './measure.ts';

export interface ReadyFigures {
  readonly readyMs: number;
  readonly rssMb: number;
}

/** Resident memory of a process, in MB. */
export const rssOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** The whole product on an empty data directory, from its start until it says `ready`; memory a moment later. */
export async function readyFigures(rounds = 5): Promise<ReadyFigures> {
  const figures: ReadyFigures[] = [];
  for (let round = 0; round < rounds; round++) {
    const product = await startProduct();
    await new Promise((settled) => setTimeout(settled, 1_000));
    figures.push({ readyMs: product.readyMs, rssMb: rssOf(product.pid) });
    await product.end('SIGTERM');
    product.clean();
  }
  return { readyMs: median(figures.map(({ readyMs }) => readyMs)), rssMb: median(figures.map(({ rssMb }) => rssMb)) };
}
