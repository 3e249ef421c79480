import { setup } from 'xstate';

export type DeploymentRecordEvent = {
  readonly type: 'appDeleted' | 'newerCounted' | 'outlived' | 'recorded';
};

/** The record of one deploy, which nothing changes any more: the arrow of specs/tables/deploymentRecord.md. */
export const deploymentRecord = setup({
  types: { events: {} as DeploymentRecordEvent, meta: {} as { readonly ensures: readonly never[] } },
}).createMachine({
  id: 'deploymentRecord',
  initial: 'Recorded',
  states: {
    Recorded: {
      meta: { ensures: [] },
      on: { newerCounted: { target: 'Recorded' } },
    },
  },
});

export type DeploymentRecordState = 'Recorded';
