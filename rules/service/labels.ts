import type { AppSpec, CoreApp } from '../../crds/coreApp.ts';
import { label, managedBy, systemNamespace } from '../../crds/names.ts';

/** The labels that select every object of one service, in any namespace. */
export const selectorLabels = ({ metadata }: Pick<CoreApp, 'metadata'>): Readonly<Record<string, string>> => ({
  [label.managedBy]: managedBy,
  [label.kind]: 'CoreApp',
  [label.name]: metadata.name,
  [label.systemNamespace]: systemNamespace,
});

/** The labels of every object of a service. */
export const serviceLabels = (
  app: Pick<CoreApp, 'metadata'>,
  { project, environment }: Pick<AppSpec, 'project' | 'environment'>,
): Readonly<Record<string, string>> => ({
  ...selectorLabels(app),
  [label.app]: app.metadata.name,
  [label.project]: project,
  [label.environment]: environment,
});
