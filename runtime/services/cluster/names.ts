import { lookup as machineLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ClusterShape, Resource } from './cluster.ts';

/** How names of Services are looked up. */
export interface ClusterNames {
  /** As the machine does it where it is left out. */
  readonly lookup?: LookupFunction;
  /** Said of a name that is not known. */
  readonly unknown: (host: string) => string;
}

/** As a pod of the cluster finds them. */
export const machineNames: ClusterNames = {
  unknown: (host) => `the name ${host} is not known where Core runs`,
};

interface Service extends KubeObject {
  readonly spec?: { readonly clusterIP?: string };
}
const services: Resource<Service> = { group: '', version: 'v1', kind: 'Service', plural: 'services', namespaced: true };

const ofService = /^([^.]+)\.([^.]+)\.svc$/;
const notFound = (why: string) => Object.assign(new Error(why), { code: 'ENOTFOUND' });

const acted = 'the nodes are simulated and run no code; with CORE_NODES=podman they do';

/** Of Services whose pods are acted out: nobody answers there. */
export const simulatedNames: ClusterNames = {
  unknown: () => acted,
  lookup: (host, options, give) =>
    ofService.test(host) ? give(notFound(acted), '') : machineLookup(host, options, give),
};

/**
 * By the Services of a cluster whose addresses are this machine's own, and whose names are not; other names as the machine
 * does it.
 */
export const namesOf = (cluster: Pick<ClusterShape, 'get'>): ClusterNames => {
  const addressOf = async (host: string): Promise<string> => {
    const [, name = '', namespace = ''] = ofService.exec(host) ?? [];
    const { spec } = await Effect.runPromise(cluster.get(services, { name, namespace }));
    return spec?.clusterIP ?? '';
  };
  return {
    unknown: (host) => `there is no Service ${host}`,
    lookup: (host, options, give) => {
      if (!ofService.test(host)) return machineLookup(host, options, give);
      const unknown = () => give(notFound(`no address of ${host}`), '');
      addressOf(host).then((address) => {
        if (address === '') return unknown();
        return options.all ? give(null, [{ address, family: 4 }]) : give(null, address, 4);
      }, unknown);
    },
  };
};
