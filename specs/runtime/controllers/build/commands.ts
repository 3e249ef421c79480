import type { BuildAsked } from '../../../../rules/build/facts.ts';

/** What can be asked of a build; the push is one that nobody has taken. */
export const commands: Readonly<Record<BuildAsked['is'], BuildAsked>> = {
  rebuild: { is: 'rebuild' },
  cancel: { is: 'cancel' },
  push: { is: 'push', what: 'main was pushed', head: '', delivery: '', over: null },
};
