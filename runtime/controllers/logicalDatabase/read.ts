export { onServer } from './observe.ts';
export { placedOn, serverSeen } from './observe/server.ts';
