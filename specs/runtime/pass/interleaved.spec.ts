import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { bundleReplaceable } from '../../faults/bugs/replaceableBundle.ts';
import { isWhole } from '../../support/share.ts';
import { suite } from '../../support/suite.ts';
import { searched } from './interleaving.ts';
import { bugs, type searchedWith } from './interleavingBugs.ts';

const spec = suite('a state in the object under interleaving');
const runs = isWhole ? 1_500 : 300;
const { program, end } = await bundleReplaceable(fileURLToPath(new URL('interleavingBugs.ts', import.meta.url)));
spec.after(end);

spec('no move is lost, repeated or invented, whatever happens between two writes', async () => {
  assert.is(await searched(runs), '');
});

for (const { text } of bugs)
  spec(`the interleaving search finds a planted fault: ${text}`, async () => {
    const bundled = (await import(pathToFileURL(program).href)) as { readonly searchedWith: typeof searchedWith };
    assert.is.not(await bundled.searchedWith(text, runs), '');
  });

spec.run();
