import type { ChangeKind } from './patches.ts';
import { isAtOnce } from './waiting.ts';

const variables = [
  'spec.config',
  'spec.secretData',
  'spec.secretVariables',
  'spec.secretRefs',
  'spec.sharedVariableRefs',
  'spec.connectionRefs',
];

const isVariable = (path: string): boolean => variables.some((field) => path === field || path.startsWith(`${field}.`));

/** The kinds of the changes of these paths that wait for a deploy. */
export const changeKindsOf = (paths: readonly string[]): readonly ChangeKind[] => {
  const waiting = paths.filter((path) => !isAtOnce(path));
  const kinds = waiting.map((path): ChangeKind => (isVariable(path) ? 'variables' : 'settings'));
  return [...new Set(kinds)].toSorted();
};
