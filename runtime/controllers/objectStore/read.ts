export { bucketsOn } from './ensures/release.ts';
