import { Effect } from 'effect';
import { label } from '../../crds/names.ts';
import { namespaces } from '../../runtime/services/cluster/resources.ts';
import type { TestEnvironment } from './environment.ts';
import { projectName } from './project.ts';

/** A finalizer of nobody who runs. */
export const hold = 'example.org/hold';

const patched = ({ cluster }: TestEnvironment, name: string, metadata: object) =>
  Effect.runSync(cluster.patch(namespaces, { name }, { metadata }));

/** Deletes a namespace of the project, which a finalizer of its own holds: it hangs in Terminating. */
export function hangNamespace(environment: TestEnvironment, name: string): void {
  patched(environment, name, { labels: { [label.project]: projectName }, finalizers: [hold] });
  Effect.runSync(environment.cluster.remove(namespaces, { name }));
}

/** Takes the finalizer away: the namespace is gone. */
export const releaseNamespace = (environment: TestEnvironment, name: string): void =>
  void patched(environment, name, { finalizers: [] });
