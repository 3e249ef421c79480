import type { ClusterShape } from '../../runtime/services/cluster/cluster.ts';
import { type Product, startProduct } from '../support/product.ts';

/** An embedded API alone, freshly made, in a process of its own; gone when the work is done. */
export async function withServer<A>(work: (cluster: ClusterShape, product: Product) => Promise<A>): Promise<A> {
  const product = await startProduct({ args: ['--role', 'cluster', '--nodes', 'manual'] });
  try {
    return await work(product.cluster, product);
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
}
