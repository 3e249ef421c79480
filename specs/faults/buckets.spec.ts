import * as assert from 'uvu/assert';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { suite } from '../support/suite.ts';
import { bundleReplaceable } from './bugs/replaceableBundle.ts';
import type * as Requests from './buckets/requests.ts';
import { violations } from './buckets/requests.ts';

const spec = suite('what the embedded cloud must refuse');

spec('every request that it must refuse is refused, and changes nothing', async () => {
  assert.equal(await violations(), []);
});

spec('every mistake that is planted in it is seen', async () => {
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
