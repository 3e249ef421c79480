import { type Product, startProduct } from './product.ts';

/** An embedded cluster alone, and operators over it in processes of their own. */
export interface Replicas {
  readonly cluster: Product;
  /** Starts one more; it is ready when this resolves, as leader or standby. */
  readonly enter: () => Promise<Product>;
  /** Ends whatever still runs. */
  readonly end: () => Promise<void>;
}

/** Whether a process says that it leads. */
export const leads = async ({ endpoints }: Product): Promise<boolean> =>
  /^core_leader 1$/m.test(await (await fetch(new URL('/metrics', endpoints.metrics ?? ''))).text());

export async function startReplicas(leaseSeconds: number): Promise<Replicas> {
  const cluster = await startProduct({ args: ['--role', 'cluster'] });
  const started = [cluster];
  return {
    cluster,
    enter: async () => {
      const kubeconfig = cluster.endpoints.operatorKubeconfig ?? '';
      const one = await startProduct({ args: ['--kubeconfig', kubeconfig, '--lease-seconds', String(leaseSeconds)] });
      started.push(one);
      return one;
    },
    end: async () => {
      for (const one of started.toReversed()) {
        await one.end('SIGTERM');
        one.clean();
      }
    },
  };
}
