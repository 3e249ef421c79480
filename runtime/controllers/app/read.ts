export { workloadPods } from '../capacity.ts';
export { buildsOfApp } from './ensures/build.ts';
export { announcedDeploy, buildOfDeploy, deploySeen } from './observe/deploy.ts';
export { publicHostOf, takenBy } from './observe/host.ts';
export { deploymentOf, podsOf } from './observe/pods.ts';
export { tokenOf } from './owned/functionToken.ts';
export { plannedWake, wakeDefinitions } from './owned/wake.ts';
