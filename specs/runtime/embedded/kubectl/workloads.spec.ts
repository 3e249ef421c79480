import { playing } from './played.ts';

const spec = playing(['workloads']);

spec.run();
