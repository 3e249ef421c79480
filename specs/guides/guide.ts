import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { root } from '../support/product.ts';
import { suite } from '../support/suite.ts';
import { until } from '../support/until.ts';
import { type Block, blocksOf } from './blocks.ts';
import { newcomer } from './newcomer.ts';
import { notPrinted } from './prints.ts';

/** A suite that runs every `sh` block of a page in order, as a newcomer does: over an installation of its own where it speaks of one. */
export function guide(page: string): Test {
  const blocks = blocksOf(readFileSync(join(root, page), 'utf8'));
  const running = blocks.filter(({ notRun }) => notRun === null);
  const spec = suite(`${page}: ${running.length} blocks run, ${blocks.length - running.length} do not`);
  const startsIt = running.some(({ commands }) => commands === 'npm start');
  const speaksOfIt = running.some(({ commands }) => /\bkubectl |127\.0\.0\.1/.test(commands));
  const { whyNot, begin, follow, start, put, end } = newcomer({ isStarted: speaksOfIt && !startsIt });

  const runs = async ({ commands, isBackground, prints }: Block) => {
    if (isBackground) {
      const printed = await start(commands);
      if (prints !== null) await until(() => notPrinted(printed(), put(prints)) === null, prints);
      return;
    }
    const printed = await follow(commands);
    if (prints === null) return;
    const line = notPrinted(printed, put(prints));
    assert.is(line, null, `the page shows "${line}", printed was:\n${printed}`);
  };

  if (whyNot === null) {
    spec.before(begin);
    spec.after(end);
    for (const block of running) spec(`${page}:${block.line} ${block.commands.split('\n')[0]}`, () => runs(block));
  } else spec.skip(`skipped ${page}: ${whyNot}`);
  return spec;
}
