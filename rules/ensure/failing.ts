import { hidden, open, type Sentence, sentence } from '../words.ts';

/** After this many consecutive failures an ensure is reported as failing. */
export const failingAfter = 3;

const overwritten = open('what somebody else overwrites could not be applied');
const settled = open('the resources could not be applied');
const noWorkload = open('the workload could not be removed');
const secretsOwned = open('its Secrets could not be made its own');
const volumeEvents = open('the Events of a pod could not be listed');
const released = open('what has to go before the deletion could not be removed');

/** The message of a failing ensure, by kind and name; `release` is of a deletion. */
export const ensureFailures: Readonly<Record<string, Readonly<Record<string, Sentence>>>> = {
  CoreBuild: {
    noJob: open('the Job could not be removed'),
    noOtherJob: open('the Job of another run could not be removed'),
    logArchived: open('the log could not be archived'),
    logTried: open('the log of the failed run could not be archived'),
    newestTen: open('older builds could not be removed'),
  },
  CoreApp: {
    deploysRecorded: open('a deploy could not be recorded'),
    activeRecorded: open('what runs could not be recorded'),
    buildExists: open('the build could not be created'),
    branchFollowed: open('the branch could not be followed'),
    secretsOwned,
    volumeEvents,
    contested: overwritten,
    settled,
    noWorkload,
    release: released,
  },
  CoreGitHostConnection: {
    tokenFresh: open('the token could not be renewed'),
    expiryKnown: open('the expiry of the token could not be read'),
  },
  CoreCloudConnection: { checked: open('the keys could not be checked'), secretsOwned },
  CoreObjectStore: {
    settled,
    broughtAbout: open('the bucket or server could not be set up'),
    volumeEvents,
    noServer: open('the server could not be removed'),
    nothingLeft: open('the bucket could not be removed'),
  },
  CoreConsoleSession: {
    linesWritten: open('the log lines of a terminal could not be written'),
    terminalOpen: open('the terminal could not be watched'),
  },
  CoreProject: {
    contested: overwritten,
    settled,
    backupStorage: open('the backup storage could not be set up'),
    secretsOwned,
    missingLogged: open('missing shared variables could not be reported'),
    askedDeletions: open('a removed environment could not be deleted'),
    uncheckedLogged: open('pods without required tags could not be reported'),
    announcementsEnd: open('the deploys of a webhook could not be ended'),
    deliveriesSent: open('the webhooks could not be sent'),
    pullRequestsFollowed: open('the pull requests could not be followed'),
    lateCopiesGone: open('late copies of a pull request could not be removed'),
    environmentCopied: open('the environment of a pull request could not be set up'),
    environmentRemoved: open('the environment of a pull request could not be removed'),
    release: released,
  },
  CoreDatabase: {
    contested: overwritten,
    settled,
    backups: open('the backups could not be set up'),
    volumeEvents,
    noWorkload,
    archiveKept: open('the backup archive could not be created'),
    release: released,
  },
  CoreBackupArchive: {
    listed: open('the backups could not be listed'),
    thinned: open('old backups could not be removed'),
  },
  CoreLogicalDatabase: {
    contested: overwritten,
    settled,
    volumeEvents,
    noConnection: open('the connection could not be removed'),
    noOtherJob: open('the Job of another attempt could not be removed'),
  },
  CoreCluster: { pieces: overwritten, settled, release: released },
  CoreNode: {
    placed: open('the labels of the node could not be written'),
    joined: open('the server could not join the cluster'),
    release: released,
  },
  CorePlatformConfig: {
    pieces: overwritten,
    settled,
    noTunnelAgent: open('the tunnel agent could not be removed'),
  },
  CoreDeployment: {
    newestTwelve: open('older records could not be removed'),
    ownService: open('the record of a deleted service could not be removed'),
  },
  Secret: {
    ofStandingEnvironments: open('the tokens of a deleted environment or project could not be revoked'),
    sessionKey: open('the session key could not be created'),
    entries: open('the users could not be read'),
  },
};

const anything = open('what its state demands could not be done');

/** `the log could not be archived: <why>` */
export const ensureFailed = (kind: string, ensure: string, why: string): Sentence =>
  sentence('{what}: {why}', { what: ensureFailures[kind]?.[ensure] ?? anything, why: hidden(why) });
