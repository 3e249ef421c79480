export { workloadPods } from '../capacity.ts';
export { restoreWanted } from './actions/restore.ts';
export { accountOf } from './lifecycles/managedDatabase/observe/account.ts';
export { canGrow, placedOf } from './observe/settled.ts';
export { loginOf } from './owned/login.ts';
