import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import type { Patch } from '../../faults/bugs/bug.ts';
import { bundlePatched } from '../../faults/bugs/patchedBundle.ts';
import { suite } from '../../support/suite.ts';
import { searched } from './interleaving.ts';

const spec = suite('a state in the object under interleaving');
const runs = 1_500;

spec('no move is lost, doubled or invented, whatever comes between two writes', async () => {
  assert.is(await searched(runs), '');
});

/** One planted bug in each part of moving a state outside the status. */
const bugs: readonly (Patch & { readonly text: string })[] = [
  {
    text: 'a move that is carried is not entered',
    file: 'runtime/step/catchUp.ts',
    from: "kept === 'object' ? carriedMove(object, machine) : null",
    to: "kept === 'object' && machine === '' ? carriedMove(object, machine) : null",
  },
  {
    text: 'what led to where a move began is left out',
    file: 'runtime/step/catchUp.ts',
    from: 'before === move.from ? object : withMove(object, found)',
    to: "before !== '' ? object : withMove(object, found)",
  },
  {
    text: 'an older move is entered again',
    file: 'runtime/step/carried.ts',
    from: '&& move.seq > known',
    to: '&& move.seq + known > 0',
  },
  {
    text: 'a state is patched while the history is behind',
    file: 'runtime/pass/record.ts',
    from: 'yield* recordStatus(resource, stored, caughtUp, context)',
    to: '(caughtUp, stored)',
  },
  {
    text: 'a command whose annotation was taken away does not enter its move',
    file: 'runtime/pass/enter.ts',
    from: 'const entered = isEntered(carried, own)',
    to: 'const entered = isEntered(carried, own) || given.now > 0',
  },
  {
    text: 'a move outside the status is not carried',
    file: 'runtime/step/apply.ts',
    from: 'objectPatch(before, after) === null ? entered',
    to: "objectPatch(before, after) === null || machine !== '' ? entered",
  },
];

for (const { text, ...patch } of bugs)
  spec(`a search finds it: ${text}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'core-interleaved-'));
    try {
      const entry = fileURLToPath(new URL('interleaving.ts', import.meta.url));
      const bundle = await bundlePatched([patch], { folder, entry });
      const patched = (await import(pathToFileURL(bundle).href)) as { readonly searched: typeof searched };
      assert.is.not(await patched.searched(runs), '');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

spec.run();
