import * as assert from 'uvu/assert';
import { isWhole, seed } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { actedOn } from './specs/platform.ts';
import { runSpecSequences } from './specs/run.ts';

const sequences = suite('faults: sequences of valid and invalid specs');

for (const kind of actedOn)
  sequences(`${kind}: each changed spec is refused with a message or converges, and so does its reversal`, async () => {
    const ran = await runSpecSequences({ kind, seed, runs: isWhole ? 64 : 4 });
    assert.equal(ran.violation?.join('\n') ?? '', '');
    assert.ok(ran.sequences > 0 && ran.refused > 0, 'nothing was tried');
  });

sequences.run();
