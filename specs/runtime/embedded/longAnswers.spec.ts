import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import { Effect } from 'effect';
import { builds } from '../../../runtime/services/cluster/kinds.ts';
import { type Product, run, startProduct } from '../../support/product.ts';
import { suite } from '../../support/suite.ts';
import { userBuild, padded } from '../../support/environment.ts';

const spec = suite('successive long bodies on busy connections');
const connections = 12;
const each = 40;
let product: Product;

spec.before(async () => {
  product = await startProduct({ args: ['--role', 'cluster'] });
});
spec.after(async () => {
  await product.end('SIGTERM');
  product.clean();
});

spec('requests on one connection are read and answered completely after a long answer', async () => {
  const makeMany = async (connection: number) => {
    const broken: string[] = [];
    for (let index = 0; index < each; index++) {
      const name = `long-${connection}-${index}`;
      const wanted = padded(userBuild(name, { app: name }), String(index % 10).repeat(20_000 + index * 2_000));
      const made = await run(Effect.result(product.cluster.create(builds, wanted)));
      const { annotations } = wanted.metadata;
      const isWhole = made._tag === 'Success' && isDeepStrictEqual(made.success.metadata.annotations, annotations);
      if (!isWhole) broken.push(`${name}: ${JSON.stringify(made).slice(0, 200)}`);
    }
    return broken;
  };
  const broken = await Promise.all(Array.from({ length: connections }, (_, connection) => makeMany(connection)));
  assert.equal(broken.flat(), []);
});

spec.run();
