import type { Place, Store, Stored } from '../../store.ts';
import { withServiceAccount } from '../authentication/podAccount.ts';
import { type Json, isJson, jsonAt } from '../json.ts';
import { builtInRules } from '../kinds/builtInRules.ts';
import { withLeastStatus } from '../kinds/leastStatus.ts';
import type { Registry } from '../kinds/registry.ts';
import type { ResourceType } from '../kinds/type.ts';
import { trackedWithin } from '../managedFields/within.ts';
import type { ApiStore } from '../store/store.ts';
import type { Admission } from './admission.ts';
import type { AdmittedUser, Attributes } from './attributes.ts';
import { admitted } from './plugins.ts';

/** Who creates objects from within. */
const controllers: AdmittedUser = { username: 'system:kube-controller-manager', groups: ['system:authenticated'] };

/**
 * The store for the controllers and nodes that live on it: what they create is completed and judged as if they had
 * asked the API for it, and what they write is recorded as theirs.
 */
export function admittedStore(store: ApiStore, registry: Registry, admission: Admission): Store {
  const typeAt = ({ bucket }: Place) => registry.all().find((one) => one.bucket === bucket);
  return {
    ...store,
    async create(place, object) {
      const type = typeAt(place);
      if (!type || !isJson(object)) return store.create(place, object);
      const whole = withLeastStatus(type.kind, type.kind === 'Pod' ? await completed(store, place, object) : object);
      admission.check(() => creationOf(type, place, whole), nobody);
      return store.create(place, trackedWithin(type, null, whole));
    },
    update(place, change) {
      const type = typeAt(place);
      if (!type) return store.update(place, change);
      return store.update(place, (old) => {
        const next = change(old);
        return next === old ? old : (trackedWithin(type, old, next) as Stored);
      });
    },
  };
}

/** A pod with its account, its token, its defaults and what it bears, as the API gives them to any other. */
async function completed(store: ApiStore, { namespace, name }: Place, pod: Json): Promise<Json> {
  const named = { ...pod, metadata: { ...jsonAt(pod, 'metadata'), name } };
  const withAccount = await withServiceAccount(store, namespace, named);
  return admitted(store, builtInRules('Pod')?.fill?.(withAccount) ?? withAccount);
}

/** A controller reads no warnings. */
const nobody = () => {};

function creationOf(type: ResourceType, { namespace, name }: Place, object: Json): Attributes {
  const metadata = { ...jsonAt(object, 'metadata'), name, ...(namespace !== '' && { namespace }) };
  return {
    operation: 'CREATE',
    type,
    subresource: '',
    kind: { group: type.group, version: type.version, kind: type.kind },
    namespace,
    name,
    object: { ...object, metadata },
    oldObject: null,
    dryRun: false,
    user: controllers,
    // Controllers may do what they do.
    decide: () => ({ allowed: true, reason: '' }),
  };
}
