export { sessionState } from './lifecycle.ts';
export { makeHolders } from './observe.ts';
export { fitTarget, type FitTarget } from './ask.ts';
