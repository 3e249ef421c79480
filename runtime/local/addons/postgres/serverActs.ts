import { Effect } from 'effect';
import type { Pod } from '../../../../crds/builtIn.ts';
import type { KubeObject } from '../../../../crds/kind.ts';
import type { Caches } from '../../../cache/caches.ts';
import type { ClaimSeen } from '../../../owned/addonKinds.ts';
import type { Resource } from '../../../services/cluster/cluster.ts';
import { randomPasswords } from '../../../services/passwords.ts';
import { simulatedLabel } from '../objects.ts';
import type { ServerImages } from '../realServers.ts';
import type { AddonRule } from '../rules.ts';
import { type Acting, create, grow, remove, report, roleActs } from './acts.ts';
import { instanceClaim, instancePod, serverServices, superuserName, superuserSecret } from './objects.ts';
import { observed, type Observed } from './observed.ts';
import type { Server } from './server.ts';
import { nextStep } from './steps.ts';
import { isDeleting } from '../../../../rules/deleting.ts';

/** The kinds of the operator's objects, cached by server. */
export interface PostgresResources {
  readonly pods: Resource<Pod>;
  readonly services: Resource;
  readonly secrets: Resource;
  readonly claims: Resource<ClaimSeen>;
}

interface Acted {
  readonly resources: PostgresResources;
  readonly caches: Caches;
  readonly images: ServerImages | null;
  readonly rule: Partial<AddonRule>;
}

/** The writes of the Postgres operator in one pass over a server. */
export function serverActs(server: Server, acted: Acted): readonly Acting[] {
  const { resources, caches, images, rule } = acted;
  if (isDeleting(server)) return [];
  if (rule.phase !== undefined)
    return server.status?.phase === rule.phase ? [] : [report(server, { status: { phase: rule.phase } })];
  const own = <O extends KubeObject>(resource: Resource<O>): readonly O[] =>
    caches
      .indexed(resource, simulatedLabel, server.metadata.name)
      .filter(({ metadata }) => metadata.namespace === server.metadata.namespace);
  const seen = observed(server, {
    pods: own(resources.pods),
    claims: own(resources.claims),
    hangs: rule.hang === true,
    isReal: images !== null,
  });
  const services = own(resources.services).map(({ metadata }) => metadata.name);
  return [
    ...serverServices(server)
      .filter(({ metadata }) => !services.includes(metadata.name))
      .map((service) => create(resources.services, service)),
    ...loginActs(server, acted),
    ...roleActs(seen, resources.pods),
    ...stepActs(seen, acted),
  ];
}

function loginActs(server: Server, { resources, caches }: Acted): readonly Acting[] {
  const secret = caches.get(resources.secrets, superuserName(server), server.metadata.namespace ?? '');
  const isWanted = server.spec?.enableSuperuserAccess === true;
  if (isWanted && !secret)
    return [
      Effect.flatMap(randomPasswords.draw, (password) => create(resources.secrets, superuserSecret(server, password))),
    ];
  return !isWanted && secret ? [remove(resources.secrets, secret)] : [];
}

function stepActs(seen: Observed, { resources, images }: Acted): readonly Acting[] {
  const { server, template } = seen;
  const step = nextStep(seen);
  switch (step.is) {
    case 'report':
      return [report(server, step)];
    case 'claim':
      return [create(resources.claims, instanceClaim(server, step.instance))];
    case 'pod':
      return [create(resources.pods, instancePod(server, step.instance, { template, images }))];
    case 'grow':
      return step.claims.map((claim) => grow(resources.claims, claim, step.size));
    case 'delete':
      return [
        ...step.claims.map((claim) => remove(resources.claims, claim)),
        ...step.pods.map((pod) => remove(resources.pods, pod)),
      ];
    case 'wait':
      return [];
  }
}
