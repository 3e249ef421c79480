import { type Bug, patched } from './bug.ts';

/** Bugs of what a service runs on, each with the plan that shows it. */
export const workloadBugs: readonly (Bug & { readonly plan: string })[] = [
  {
    name: 'drift missed',
    family: 'recovery',
    text: 'what was edited by hand is not put back',
    plan: 'service / made by hand / hand does=more_pods_are_asked_for in=Ready',
    plant: patched(
      'runtime/controllers/app/surroundings.ts',
      "startsWith('Deployment ')) ? 'absent' : 'stale';",
      "startsWith('Deployment ')) ? 'absent' : 'current';",
    ),
  },
  {
    name: 'snapshot ignored',
    family: 'wrong rule',
    text: 'a change that waits for a deploy runs at once',
    plan: 'service / a change waits while copies and host change',
    plant: patched(
      'runtime/controllers/app/pieces.ts',
      'const spec = runningSpec(gate, app);',
      'const spec = runningSpec(gate, app) && app.spec;',
    ),
  },
  {
    name: 'foreign object adopted',
    family: 'ownership',
    text: 'an object of somebody else under a name of ours is written over',
    plan: 'service / somebody has its name',
    plant: patched(
      'runtime/owned/judge.ts',
      'if (!isOf(stands, owner)) return foreignSays(called);',
      'if (!isOf(stands, owner)) return null;',
    ),
  },
  {
    name: 'replicas fought over',
    family: 'hot loop',
    text: 'the copies that an autoscaler has set are written over',
    plan: 'service / it is autoscaled',
    plant: patched(
      'runtime/controllers/app/settled.ts',
      'return isScaledElsewhere(stands) ? null :',
      'return isScaledElsewhere(stands) ? replicasOf(spec) :',
    ),
  },
];
