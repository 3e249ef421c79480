import type { Test } from 'uvu';
import { isChosen, isWhole } from './share.ts';

/** Tests of a suite that take long: `npm test` runs one in so many of them, by the seed, and `npm run whole` all. */
export function seldom<T>(suite: Test<T>, oneIn: number): Pick<Test<T>, 'skip'>['skip'] {
  if (!isWhole) process.stdout.write(`skipped: \`npm run whole\` plays more than one in ${oneIn}\n`);
  let at = 0;
  return (title, test) => {
    const isRun = isChosen(at, oneIn);
    at += 1;
    if (isRun && title !== undefined && test !== undefined) suite(title, test);
    else suite.skip(title, test);
  };
}
