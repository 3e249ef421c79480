import { kinds } from '../../../crds/kinds.ts';
import { type CustomResourceDefinition, manifestOf } from '../../../crds/manifest.ts';
import { program } from '../../../crds/names.ts';
import { checkWebhooks } from '../../../runtime/embedded/api/admission/webhooks.ts';
import type { Call } from '../../../runtime/embedded/api/call.ts';
import { type Json, textAt } from '../../../runtime/embedded/api/json.ts';
import { definitions } from '../../../runtime/embedded/api/kinds/builtIn.ts';
import { withAcceptedNames } from '../../../runtime/embedded/api/kinds/declared/acceptedNames.ts';
import { withDefinitionDefaults } from '../../../runtime/embedded/api/kinds/definition.ts';
import { createRegistry, type Registry } from '../../../runtime/embedded/api/kinds/registry.ts';
import type { ResourceType, Subresource } from '../../../runtime/embedded/api/kinds/type.ts';
import { noSuchPath } from '../../../runtime/embedded/api/status.ts';
import type { ApiStore } from '../../../runtime/embedded/api/store/store.ts';
import {
  backupDefinition,
  helmChartDefinition,
  postgresDefinition,
  scheduledBackupDefinition,
} from '../../../runtime/local/addons/definitions.ts';
import { clusterWebhook } from '../../../runtime/local/addons/postgres/webhook.ts';
import type { Resource } from '../../../runtime/services/cluster/cluster.ts';
import { issuerKind } from '../certManager.ts';
import { kedaDefinitions } from '../keda/definitions.ts';
import { generatedDefinition } from '../../faults/generated/kind.ts';

const established = (definition: object) => withAcceptedNames(withDefinitionDefaults({ ...definition }), []);

let known: Registry | undefined;

/** The kinds that a cluster with these definitions of ours serves. */
const registryOf = (ours: readonly CustomResourceDefinition[]): Registry =>
  createRegistry({
    list: (bucket: string) =>
      bucket === definitions
        ? [
            ...ours,
            helmChartDefinition,
            postgresDefinition,
            backupDefinition,
            scheduledBackupDefinition,
            generatedDefinition,
            issuerKind,
            ...kedaDefinitions,
          ].map(established)
        : [],
    onChange: () => () => {},
  } as unknown as ApiStore);

/** With our manifests read once, for reading them costs more than many plans. */
function registry(): Registry {
  known ??= registryOf(kinds.map(manifestOf));
  return known;
}

/** Lets clusters serve our kinds by other definitions than the present ones; by these again without. */
export function serveKinds(ours?: readonly CustomResourceDefinition[]): void {
  known = ours && registryOf(ours);
}

/** What is known of a resource, its schema among it; refused when no such resource is served. */
export function typeOf({ group, version, plural }: Resource): ResourceType {
  const found = registry().find(group, version, plural);
  if (!found) throw noSuchPath();
  return found;
}

/** Which write it is, for the rules of the embedded API server that say what an object becomes by it. */
export const callOf = (
  type: ResourceType,
  subresource: Subresource | null = null,
  query: Readonly<Record<string, string>> = { fieldManager: program },
): Call =>
  ({
    type,
    subresource,
    registry: registry(),
    request: { headers: {} },
    query: new URLSearchParams(query),
    warn: () => {},
  }) as unknown as Call;

/** What the webhooks of controllers that are acted out must agree with. */
export const checkAdmitted = (type: ResourceType, object: Json, old: Json | null): void =>
  checkWebhooks([clusterWebhook], { type, name: textAt(object, 'metadata', 'name'), object, old });
