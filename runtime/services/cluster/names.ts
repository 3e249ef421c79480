import { lookup as machineLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Effect } from 'effect';
import type { KubeObject } from '../../../crds/kind.ts';
import type { ClusterShape, Resource } from './cluster.ts';

/** How names of Services are looked up. */
export interface ClusterNames {
  /** The lookup of the machine by default. */
  readonly lookup?: LookupFunction;
  /** The message for an unknown name. */
  readonly unknown: (host: string) => string;
}

/** Looks names up as a pod of the cluster does. */
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

/** Fails for Services whose pods are simulated, because nothing listens there. */
export const simulatedNames: ClusterNames = {
  unknown: () => acted,
  lookup: (host, options, give) =>
    ofService.test(host) ? give(notFound(acted), '') : machineLookup(host, options, give),
};

/**
 * Looks up Services in the cluster, whose addresses this machine reaches but whose names it does not know; other names
 * as the machine does.
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
