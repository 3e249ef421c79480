export { foreignTo } from './account.ts';
export { usersOf } from './users.ts';
