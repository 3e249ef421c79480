export { applicationIn, refusalOf } from './observe.ts';
