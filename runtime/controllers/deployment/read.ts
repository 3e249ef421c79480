export { removeRecordsOf } from './ensures.ts';
export { activeRecordOf } from './observe.ts';
