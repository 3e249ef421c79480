import * as assert from 'uvu/assert';
import { annotation, group, key, label } from '../../crds/names.ts';
import { naming, sources } from '../house/sources.ts';
import { suite } from '../support/suite.ts';

const spec = suite('names');

spec('KND-004 every label and annotation has the prefix core.platform, which is defined once', () => {
  const keys = [...Object.values(label), ...Object.values(annotation), key('anything')];
  assert.ok(keys.length > 20);
  assert.equal(
    keys.filter((one) => !/^core\.platform\/[a-z]+(-[a-z]+)*$/.test(one)),
    [],
  );
  assert.is(new Set(keys).size, keys.length);
  assert.is(group, 'core.platform');
  const written = naming(/['"]core\.platform\/[a-z-]*['"]|`core\.platform\/\$/);
  assert.ok(sources.length > 100);
  assert.equal(written, []);
});

spec.run();
