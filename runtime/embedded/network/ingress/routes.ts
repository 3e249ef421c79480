import type { IngressBackend, IngressSpec, NetworkIngress } from '../objects.ts';
import { keyOf, type ServedPort, type ServedService, type View } from '../view.ts';

/** Where a request of a host and path is led. */
interface Route {
  readonly host: string;
  readonly path: string;
  readonly isExact: boolean;
  readonly to: Led;
}

export interface Led {
  readonly namespace: string;
  readonly backend: IngressBackend | undefined;
}

export interface Routes {
  /** Null where no Ingress says anything of it. */
  readonly of: (host: string, path: string) => Led | null;
}

/** The routes of all Ingresses. Of two that say the same the older one holds. */
export function routesOf({ ingresses }: View): Routes {
  const inTurn = ingresses.toSorted((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  const byHost = new Map<string, Route[]>();
  for (const route of inTurn.flatMap(routesIn)) byHost.set(route.host, [...(byHost.get(route.host) ?? []), route]);
  const defaults = inTurn.flatMap(({ namespace, spec: { defaultBackend: backend } }) =>
    backend ? [{ namespace, backend }] : [],
  );
  return {
    of(host, path) {
      for (const name of [host, host.replace(/^[^.]*/, '*'), '']) {
        const route = best(byHost.get(name) ?? [], path);
        if (route) return route.to;
      }
      return defaults[0] ?? null;
    },
  };
}

const ageOf = (ingress: NetworkIngress) => `${ingress.createdAt} ${keyOf(ingress)}`;

const routesIn = ({ namespace, spec }: NetworkIngress): readonly Route[] =>
  rulesOf(spec).flatMap(({ host = '', http }) =>
    (http?.paths ?? []).map(({ path = '/', pathType, backend }) => ({
      host: host.toLowerCase(),
      path,
      isExact: pathType === 'Exact',
      to: { namespace, backend },
    })),
  );

const rulesOf = ({ rules = [] }: IngressSpec) => rules;

/** An exact path, or else the longest that the path begins with; an exact one goes before a prefix of its length. */
function best(routes: readonly Route[], path: string): Route | undefined {
  const rank = (route: Route) => route.path.length * 2 + Number(route.isExact);
  return routes
    .filter((route) => (route.isExact ? route.path === path : isBelow(path, route.path)))
    .toSorted((a, b) => rank(b) - rank(a))[0];
}

/** Whether a path begins with another, by whole elements. */
function isBelow(path: string, prefix: string): boolean {
  const base = prefix.replace(/\/+$/, '');
  return path === base || path.startsWith(`${base}/`);
}

interface Served {
  readonly service: ServedService;
  readonly port: ServedPort;
}

/** The Service and its port that a backend names; of an alias of another Service here, those of that one. */
export function servedBy({ services }: View, { namespace, backend }: Led): Served | null {
  const { name = '', port: asked } = backend?.service ?? {};
  const named = portOf(services.get(`${namespace}/${name}`), asked);
  const alias = aliasOf(named?.service.externalName ?? '');
  return named && alias !== null ? portOf(services.get(alias), { number: named.port.port }) : named;
}

type AskedPort = NonNullable<IngressBackend['service']>['port'];

function portOf(service: ServedService | undefined, asked: AskedPort): Served | null {
  const port = service?.ports.find((one) => one.port === asked?.number || one.name === asked?.name);
  return service && port ? { service, port } : null;
}

/** `namespace/name` of the Service that a name inside the cluster is of; null for any other name. */
function aliasOf(externalName: string): string | null {
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc(?:\.cluster\.local)?\.?$/.exec(externalName) ?? [];
  return name === undefined ? null : `${namespace}/${name}`;
}
