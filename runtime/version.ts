export { isLater } from '../rules/version.ts';
