import { setup } from 'xstate';

/** The last four lead to absence: what removes a logical database. */
export type LogicalDatabaseEvent = {
  readonly type:
    | 'adminLoginMissing'
    | 'attemptDue'
    | 'connectionKept'
    | 'connectionWritten'
    | 'createJobFound'
    | 'deletionFound'
    | 'dropProgressed'
    | 'dropStarted'
    | 'failureCounted'
    | 'finalizerMissing'
    | 'gaveUp'
    | 'jobCreated'
    | 'jobFailed'
    | 'jobProgressed'
    | 'otherJobFound'
    | 'projectTagsChanged'
    | 'retryAsked'
    | 'serverMissing'
    | 'serverNotReady'
    | 'specChanged'
    | 'specRefused'
    | 'dropped'
    | 'dropTimedOut'
    | 'ownServerLeft'
    | 'serverLost';
};

/** What must hold while a logical database is in a state. */
export type LogicalDatabaseEnsure = 'connectionKept' | 'noConnection' | 'noCreateJob' | 'noOtherJob';

/** Actions are named here and performed by the runtime; none runs inside a step. */
const named = () => {};
const actions = {
  addFinalizer: named,
  clearCount: named,
  countFailure: named,
  createDropJob: named,
  createJob: named,
  fail: named,
  pauseClock: named,
  startAttempt: named,
  writeConnection: named,
};
export type LogicalDatabaseAction = keyof typeof actions;

const deletes = { deletionFound: { target: 'Deleting' } } as const;

/** What stands in the way of a logical database, whether it was ready or not. */
const stands = {
  serverMissing: { target: 'Provisioning', actions: 'pauseClock' },
  serverNotReady: { target: 'Provisioning', actions: 'pauseClock' },
  failureCounted: { target: 'Provisioning', actions: 'countFailure' },
  specRefused: { target: 'ProvisionFailed', actions: 'fail' },
} as const;

/** The life of a CoreLogicalDatabase: the arrows of specs/tables/logicalDatabase.md, no more. */
export const logicalDatabase = setup({
  types: { events: {} as LogicalDatabaseEvent, meta: {} as { readonly ensures: readonly LogicalDatabaseEnsure[] } },
  actions,
}).createMachine({
  id: 'logicalDatabase',
  initial: 'Provisioning',
  states: {
    Provisioning: {
      meta: { ensures: ['noOtherJob'] },
      on: {
        ...deletes,
        ...stands,
        attemptDue: { target: 'Provisioning', actions: 'startAttempt' },
        gaveUp: { target: 'ProvisionFailed', actions: ['countFailure', 'fail'] },
        finalizerMissing: { target: 'Provisioning', actions: 'addFinalizer' },
        adminLoginMissing: { target: 'Provisioning', actions: 'pauseClock' },
        otherJobFound: { target: 'Provisioning' },
        jobCreated: { target: 'Provisioning', actions: ['createJob', 'pauseClock'] },
        jobProgressed: { target: 'Provisioning', actions: 'pauseClock' },
        jobFailed: { target: 'ProvisionFailed', actions: 'fail' },
        connectionWritten: { target: 'Ready', actions: ['writeConnection', 'clearCount'] },
        projectTagsChanged: { target: 'Provisioning' },
      },
    },
    Ready: {
      meta: { ensures: ['connectionKept'] },
      on: {
        ...deletes,
        ...stands,
        finalizerMissing: { target: 'Ready', actions: 'addFinalizer' },
        connectionKept: { target: 'Ready' },
      },
    },
    /** Nothing but its spec, or somebody, moves it on. */
    ProvisionFailed: {
      meta: { ensures: [] },
      on: {
        ...deletes,
        retryAsked: { target: 'Provisioning', actions: ['clearCount', 'startAttempt'] },
        specChanged: { target: 'Provisioning', actions: ['clearCount', 'startAttempt'] },
        projectTagsChanged: { target: 'ProvisionFailed' },
      },
    },
    Deleting: {
      meta: { ensures: ['noConnection', 'noCreateJob'] },
      on: {
        createJobFound: { target: 'Deleting' },
        dropStarted: { target: 'Deleting', actions: 'createDropJob' },
        dropProgressed: { target: 'Deleting' },
      },
    },
  },
});

export type LogicalDatabaseState = 'Provisioning' | 'Ready' | 'ProvisionFailed' | 'Deleting';
