import * as assert from 'uvu/assert';
import type { Platform, Version } from '../../http/api.ts';
import { kinds } from '../../crds/kinds.ts';
import { annotation, group } from '../../crds/names.ts';
import { definitionOf } from '../../runtime/services/cluster/resources.ts';
import { suite } from '../support/suite.ts';
import { passwordHash, serve, type Served } from './served.ts';

const spec = suite('releases of program and kinds');

const define = ({ world }: Served, release: string) => {
  for (const { plural } of kinds) {
    const name = `${plural}.${group}`;
    world.cluster.put(definitionOf(name), { metadata: { name, annotations: { [annotation.release]: release } } });
  }
};
const releaseOf = async ({ ask }: Served, cookie?: string) =>
  ((await ask('/api/v1/platform', cookie === undefined ? {} : { headers: { cookie } })).json() as Platform).release;

spec(
  'GET /platform tells the releases of program and kinds to every role, and GET /version the same program',
  async () => {
    const served = await serve({ release: 'v1.2.0' }, { vera: { role: 'viewer', password: passwordHash, epoch: 0 } });
    try {
      define(served, 'v1.1.0');
      const release = { program: 'v1.2.0', kinds: 'v1.1.0' };
      assert.equal(await releaseOf(served), release);
      assert.equal(await releaseOf(served, served.cookieOf({ username: 'vera', role: 'viewer' })), release);
      assert.is(((await served.ask('/api/v1/version')).json() as Version).version, 'v1.2.0');
    } finally {
      await served.stop();
    }
  },
);

spec('a development build names no release of the kinds', async () => {
  const served = await serve();
  try {
    define(served, 'v1.1.0');
    assert.equal(await releaseOf(served), { program: 'dev', kinds: null });
  } finally {
    await served.stop();
  }
});

spec.run();
