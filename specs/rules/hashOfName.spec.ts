import * as assert from 'uvu/assert';
import { hashOf, hashOfName } from '../../rules/canonical.ts';
import { suite } from '../support/suite.ts';

const spec = suite('hashes of names');

spec('the hash of a name is the same with and without its cache', () => {
  const names = Array.from({ length: 20_005 }, (_, at) => `web-${at}`);
  for (const name of names) hashOfName(name);
  for (const name of ['web-0', 'web-20004', 'web-19999', '__proto__', ''])
    assert.equal([hashOfName(name), hashOfName(name)], [hashOf(name), hashOf(name)]);
});

spec.run();
