export { connectionRefusal } from './account.ts';
export { usersOf } from './users.ts';
