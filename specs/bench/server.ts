import { startProduct } from '../support/product.ts';
import type { ClusterShape } from '../../runtime/services/cluster.ts';

/** An embedded API alone, freshly made, in a process of its own; gone when the work is done. */
export async function withServer<A>(work: (cluster: ClusterShape) => Promise<A>): Promise<A> {
  const product = await startProduct({ args: ['--role', 'cluster', '--nodes', 'manual'] });
  try {
    return await work(product.cluster);
  } finally {
    await product.end('SIGTERM');
    product.clean();
  }
}
