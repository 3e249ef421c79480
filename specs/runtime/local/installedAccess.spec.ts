import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { accessIn } from '../../../runtime/local/installedAccess.ts';
import { root } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';

const spec = suite('the installed access');

spec('the build writes every account, role and binding of crds/install for the start', () => {
  const built: unknown = JSON.parse(readFileSync(join(root, 'dist/access.json'), 'utf8'));
  const written = accessIn(join(root, 'crds/install'));
  assert.equal(built, written);
  assert.equal([...new Set(written.map(({ kind }) => String(kind)))].toSorted(), [
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'ServiceAccount',
  ]);
});

spec.run();
