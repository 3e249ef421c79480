export { isLeaving, leavingWatch } from './observe/leaving.ts';
