import type { BuildAsked } from '../../../../rules/build/facts.ts';

/** The commands of a build; nobody has taken the push yet. */
export const commands: Readonly<Record<BuildAsked['is'], BuildAsked>> = {
  rebuild: { is: 'rebuild' },
  cancel: { is: 'cancel' },
  push: { is: 'push', what: 'main was pushed', head: '', delivery: '', over: null },
};
