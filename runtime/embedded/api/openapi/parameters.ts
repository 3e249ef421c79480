import type { Dialect, Document } from './component.ts';

interface Known {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

const known: Readonly<Record<string, Known>> = {
  allowWatchBookmarks: { type: 'boolean', description: 'Whether a watch may tell of versions without a change.' },
  continue: { type: 'string', description: 'Where the part of the list that came before ended.' },
  dryRun: { type: 'string', description: 'All: everything is done but storing the result.' },
  fieldManager: { type: 'string', description: 'The name of whoever makes the change.' },
  fieldSelector: { type: 'string', description: 'Selects objects by the values of fields.' },
  fieldValidation: {
    type: 'string',
    description: 'What becomes of unknown and duplicate fields: Ignore, Warn or Strict.',
  },
  force: { type: 'boolean', description: 'Whether an apply takes fields over from others.' },
  gracePeriodSeconds: { type: 'integer', description: 'How long the object may take to end.' },
  labelSelector: { type: 'string', description: 'Selects objects by their labels.' },
  limit: { type: 'integer', description: 'The most objects that one answer holds.' },
  orphanDependents: { type: 'boolean', description: 'Whether dependents stay; propagationPolicy says it better.' },
  propagationPolicy: { type: 'string', description: 'What becomes of dependents: Orphan, Background or Foreground.' },
  resourceVersion: { type: 'string', description: 'The version that the answer must have reached.' },
  resourceVersionMatch: { type: 'string', description: 'How the version is meant.' },
  sendInitialEvents: { type: 'boolean', description: 'Whether a watch begins with all objects there are.' },
  timeoutSeconds: { type: 'integer', description: 'How long a list or watch may take.' },
  watch: { type: 'boolean', description: 'Tells changes instead of a list.' },
  name: { type: 'string', description: 'name of the object' },
  namespace: { type: 'string', description: 'object name and auth scope, such as for teams and projects' },
  pretty: { type: 'string', description: 'Whether the answer is laid out for reading.' },
};

/** A parameter by its name; one of the path has to be given. */
export function parameter(name: string, dialect: Dialect, place: 'query' | 'path' = 'query'): Document {
  const { type, description } = known[name] ?? { type: 'string', description: '' };
  const schema = dialect === 'v2' ? { type } : { schema: { type } };
  return { name, in: place, description, ...(place === 'path' && { required: true }), ...schema };
}

export const pathParameters = (names: readonly string[], dialect: Dialect): Document => ({
  parameters: [...names.map((name) => parameter(name, dialect, 'path')), parameter('pretty', dialect)],
});

const selection = ['continue', 'fieldSelector', 'labelSelector', 'limit', 'resourceVersion', 'resourceVersionMatch'];
const watching = ['allowWatchBookmarks', 'sendInitialEvents', 'timeoutSeconds', 'watch'];
const deletion = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];

export const readParameters = (action: string): readonly string[] =>
  action === 'list' ? [...selection, ...watching] : [];

export function writeParameters(action: string): readonly string[] {
  if (action === 'delete') return deletion;
  if (action === 'deletecollection') return [...deletion, ...selection];
  return ['dryRun', 'fieldManager', 'fieldValidation', ...(action === 'patch' ? ['force'] : [])];
}
