import * as assert from 'uvu/assert';
import { fuzz } from '../fuzz/fuzz.ts';
import { times } from '../support/share.ts';
import { suite } from '../support/suite.ts';

const x = suite('fuzz');
const runs = times(1_500, 600);
const heapAtMost = 8 * 1024 * 1024;

x('SEC-004 malformed requests are refused without failure, hang, leak or missing headers', async () => {
  const { counts, findings, unexpected, heapGrownBytes } = await fuzz({ runs, seed: 20_240 });
  assert.equal(findings, []);
  assert.equal(unexpected, []);
  assert.ok(heapGrownBytes < heapAtMost, `the heap grew by ${heapGrownBytes} bytes`);
  for (const status of ['200', '400', '401', '404', '405', '408', '413', '415', '431'])
    assert.ok((counts[status] ?? 0) > 0, `none of the requests came to ${status}: ${JSON.stringify(counts)}`);
});

x.run();
