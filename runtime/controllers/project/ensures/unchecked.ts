import { Effect } from 'effect';
import { requiredNodeTagsPolicy } from '../../../../crds/admission/requiredNodeTags.ts';
import type { CoreProject } from '../../../../crds/coreProject.ts';
import { type Ensure, holds } from '../../../contract/ensure.ts';
import { Cluster, type Resource } from '../../../services/cluster/cluster.ts';

/** Served since Kubernetes 1.30. */
const admissionPolicies: Resource = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  namespaced: false,
};

/**
 * Logs, once per process, that pods of other clients in projects with required tags are not checked; node selectors
 * apply to Core's pods nevertheless (002 Limits).
 */
export function uncheckedLogged(): Ensure<CoreProject> {
  let isKnown = false;
  const check = Effect.gen(function* () {
    const cluster = yield* Cluster;
    const isChecked = yield* cluster.get(admissionPolicies, { name: requiredNodeTagsPolicy }).pipe(
      Effect.as(true),
      Effect.catchTag('NotFound', () => Effect.succeed(false)),
    );
    isKnown = true;
    if (!isChecked)
      yield* Effect.logWarning('required tags of pods not enforced').pipe(
        Effect.annotateLogs({ policy: requiredNodeTagsPolicy, error: 'the cluster has no such admission policy' }),
      );
    return holds;
  });
  return {
    schedule: { firstMs: 30_000, maxMs: 600_000 },
    run: ({ object }) => (isKnown || (object.spec.requiredTags ?? []).length === 0 ? Effect.succeed(holds) : check),
  };
}
