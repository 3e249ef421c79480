export { sessionState } from './controller.ts';
export { makeHolders } from './observe/holders.ts';
export { fitTarget, type FitTarget } from './observe/target.ts';
