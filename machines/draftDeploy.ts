import { machineOf } from './machine.ts';

const deploys = ['clearMarkers', 'takeSnapshot', 'changeRevision'] as const;

/** The deploy state of a resource: the arrows of specs/tables/draftDeploy.md, and no others. */
export const draftDeploy = machineOf('draftDeploy', {
  initial: 'Draft',
  states: {
    Draft: {
      meta: { ensures: ['nothingRuns'] },
      on: {
        deployedFound: { target: 'Deployed' },
        pendingFound: { target: 'PendingChanges' },
        unsnappedFound: { target: 'SnapshotMissing' },
        ungatedFound: { target: 'Ungated' },
        deployRefused: { target: 'Draft' },
        deployed: { target: 'Deployed', actions: ['enable', ...deploys] },
        draftSaved: { target: 'Draft', actions: ['saveSpec', 'markChanges'] },
      },
    },
    Deployed: {
      meta: { ensures: ['deployedRuns'] },
      on: {
        draftFound: { target: 'Draft' },
        pendingFound: { target: 'PendingChanges' },
        unsnappedFound: { target: 'SnapshotMissing' },
        ungatedFound: { target: 'Ungated' },
        stopped: { target: 'Draft', actions: 'disable' },
        deployRefused: { target: 'Deployed' },
        redeployed: { target: 'Deployed', actions: ['takeSnapshot', 'changeRevision'] },
        changeSaved: { target: 'PendingChanges', actions: ['saveSpec', 'markChanges'] },
        atOnceSaved: { target: 'Deployed', actions: 'saveSpec' },
        editFound: { target: 'PendingChanges', actions: 'markChanges' },
      },
    },
    /** Deployed, with saved changes that the next deploy applies. */
    PendingChanges: {
      meta: { ensures: ['snapshotRuns'] },
      on: {
        draftFound: { target: 'Draft' },
        deployedFound: { target: 'Deployed' },
        unsnappedFound: { target: 'SnapshotMissing' },
        ungatedFound: { target: 'Ungated' },
        stopped: { target: 'Draft', actions: 'disable' },
        deployRefused: { target: 'PendingChanges' },
        deployed: { target: 'Deployed', actions: deploys },
        changeReverted: { target: 'Deployed', actions: ['saveSpec', 'clearMarkers'] },
        changeSaved: { target: 'PendingChanges', actions: ['saveSpec', 'markChanges'] },
        atOnceSaved: { target: 'PendingChanges', actions: 'saveSpec' },
      },
    },
    /** The deployed spec is no longer known, so the workload is left unchanged. */
    SnapshotMissing: {
      meta: { ensures: [] },
      on: {
        draftFound: { target: 'Draft' },
        deployedFound: { target: 'Deployed' },
        pendingFound: { target: 'PendingChanges' },
        ungatedFound: { target: 'Ungated' },
        stopped: { target: 'Draft', actions: 'disable' },
        deployRefused: { target: 'SnapshotMissing' },
        deployed: { target: 'Deployed', actions: deploys },
        changeSaved: { target: 'SnapshotMissing', actions: ['saveSpec', 'markChanges'] },
        atOnceSaved: { target: 'SnapshotMissing', actions: 'saveSpec' },
      },
    },
    Ungated: {
      meta: { ensures: ['specRuns'] },
      on: {
        draftFound: { target: 'Draft' },
        deployedFound: { target: 'Deployed' },
        pendingFound: { target: 'PendingChanges' },
        unsnappedFound: { target: 'SnapshotMissing' },
        stopped: { target: 'Draft', actions: ['disable', 'takeSnapshot'] },
        deployRefused: { target: 'Ungated' },
        redeployed: { target: 'Ungated', actions: ['enable', 'changeRevision'] },
        atOnceSaved: { target: 'Ungated', actions: 'saveSpec' },
      },
    },
  },
});
