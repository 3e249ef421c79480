export { projectPlacement } from '../placement.ts';
export type { HasTokens } from './actions/release.ts';
export { projectSeen } from './lifecycles/pullRequestEnvironment/lifecycle.ts';
export { complianceSeen, runningOf } from './observe/compliance.ts';
