import * as assert from 'uvu/assert';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { suite } from '../support/suite.ts';
import { bundleReplaceable } from './bugs/replaceableBundle.ts';
import type * as Requests from './buckets/requests.ts';
import { violations } from './buckets/requests.ts';

const spec = suite('refusals of the embedded cloud');

spec('the cloud refuses every invalid request without a change', async () => {
  assert.equal(await violations(), []);
});

spec('every bug planted in the cloud is detected', async () => {
  const { program, end } = await bundleReplaceable(fileURLToPath(new URL('buckets/requests.ts', import.meta.url)));
  try {
    const { huntAll } = (await import(pathToFileURL(program).href)) as typeof Requests;
    for (const { name, shown, reached } of await huntAll()) {
      assert.ok(reached, `${name} is come by`);
      assert.ok(shown, `${name} is seen`);
    }
  } finally {
    end();
  }
});

spec.run();
