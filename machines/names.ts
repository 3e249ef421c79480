// Compiled from specs/tables by `npm run build`.

export type ActiveDeploymentState = 'RollingOut' | 'Available';
export type ActiveDeploymentEvent = { readonly type: 'availableRecorded' | 'collected' | 'fellAsleep'
  | 'replicasMissed' | 'replicasReached' | 'rolloutRecorded' | 'stayedAvailable' | 'stillRollingOut' };
export type ActiveDeploymentAction = 'createRecord' | 'updateRecord' | 'updateStatus';
export type ActiveDeploymentEnsure = never;

export type AddressLockoutState = 'Open' | 'Refused';
export type AddressLockoutEvent = { readonly type: 'clockSetBack' | 'failedAgain' | 'failedFirst' | 'failedMeanwhile'
  | 'failedTwentieth' | 'operatorRestarted' | 'refusalEndAwaited' | 'refusalEnded' | 'refusedAtOnce' | 'signInAwaited'
  | 'signInCame' | 'unlimitedFailed' };
export type AddressLockoutAction = 'beginMinute' | 'countFailure' | 'forget' | 'loseCount' | 'passOn' | 'reckonFromNow'
  | 'refuse' | 'refuseAddress';
export type AddressLockoutEnsure = never;

export type BackupArchiveState = 'Protected' | 'Retired';
export type BackupArchiveEvent = { readonly type: 'archiveFound' | 'backupsTurnedOff' | 'backupsTurnedOn'
  | 'backupsTurnedOnAgain' | 'connectionLost' | 'databaseDeleted' | 'databaseFollowed' | 'databaseFoundAlive'
  | 'deletionFollowed' | 'finalBackupAwaited' | 'folderFoundInUse' | 'namespaceChanged' | 'ownerVanished'
  | 'pagePurged' | 'purgeRefused' | 'purged' | 'regionAwaited' | 'restoreFoundRunning' | 'retentionLasted' };
export type BackupArchiveAction = 'createArchive' | 'deleteArchive' | 'followDatabase' | 'purgePage' | 'recordUnpurged'
  | 'retire';
export type BackupArchiveEnsure = never;

export type BuildState = 'Pending' | 'WaitingForCI' | 'FailedBeforeJob' | 'Running' | 'Failed' | 'Succeeded'
  | 'Cancelled' | 'Unrecognised';
export type BuildEvent = { readonly type: 'cancelAsked' | 'cancelFound' | 'cancelSpent' | 'cancelledJobFound'
  | 'causeCleared' | 'checkFailed' | 'checkStayedFailed' | 'checksAwaited' | 'checksPassed' | 'checksPending'
  | 'commitResolved' | 'connectionNotReady' | 'connectionUnset' | 'contextEscaped' | 'digestFound' | 'digestMissing'
  | 'gitHostRefused' | 'gitHostSilent' | 'jobCreated' | 'jobFailed' | 'jobProgressed' | 'jobVanished'
  | 'leftoverJobFound' | 'logArchived' | 'otherJobFound' | 'outlived' | 'ownJobFound' | 'pushed' | 'rebuildAsked'
  | 'registryMissing' | 'resetFound' | 'restedCancelled' | 'restedFailed' | 'restedSucceeded' | 'serviceSeen'
  | 'settingStayedWrong' | 'startCleared' };
export type BuildAction = 'awaitChecks' | 'claimRun' | 'clearCancel' | 'countFailedPods' | 'createJob' | 'fail'
  | 'forgetFailure' | 'recordChecks' | 'recordCommit' | 'recordLog' | 'recordStart' | 'requestCancel' | 'startOver'
  | 'succeed' | 'voidRun';
export type BuildEnsure = 'logArchived' | 'logTried' | 'newestTen' | 'noJob' | 'noOtherJob';

export type ConsoleSessionState = 'Pending' | 'Active' | 'Expired' | 'Attached' | 'Closed';
export type ConsoleSessionEvent = { readonly type: 'activated' | 'attachAwaited' | 'attachGivenUp' | 'attached'
  | 'createRefused' | 'created' | 'holderDied' | 'lateAttachRefused' | 'limitAhead' | 'limitReached' | 'originRefused'
  | 'secondAttachRefused' | 'sessionMissed' | 'streamEnded' | 'targetUnfit' | 'terminalEnded' };
export type ConsoleSessionAction = 'close' | 'closeStream' | 'expire' | 'holdTerminal' | 'logClosed' | 'logOpened'
  | 'recordStart' | 'releaseTerminal';
export type ConsoleSessionEnsure = 'noTerminal' | 'terminalOpen';

export type DashboardDomainReadyState = 'Unchecked' | 'NoDomain' | 'PendingDNS' | 'PendingHTTPS' | 'PendingTunnel'
  | 'ZoneRequired' | 'Error' | 'VerificationTimedOut' | 'Verified';
export type DashboardDomainReadyEvent = { readonly type: 'credentialsIncomplete' | 'credentialsUnavailable'
  | 'domainMissing' | 'hostResolvedElsewhere' | 'nodesUnlisted' | 'probeAnswered' | 'probeUnanswered' | 'recordAwaited'
  | 'recordRefused' | 'serviceMissing' | 'specChanged' | 'stayedUnverified' | 'timeRanOut' | 'tunnelAwaited'
  | 'zoneUndecided' };
export type DashboardDomainReadyAction = 'report';
export type DashboardDomainReadyEnsure = never;

export type DashboardSessionState = 'Active' | 'Expired' | 'Ended';
export type DashboardSessionEvent = { readonly type: 'epochBumped' | 'expired' | 'expiryAwaited' | 'signInRefused'
  | 'signOutAsked' | 'signedIn' | 'strangerRefused' | 'used' | 'usedAfterEnd' | 'usedWithNewRole' | 'userRemoved' };
export type DashboardSessionAction = 'bumpEpoch' | 'refuse' | 'sealCookie' | 'serve' | 'serveAsNow' | 'takeCookie';
export type DashboardSessionEnsure = never;

export type DatabaseState = 'Draft' | 'Provisioning' | 'Ready' | 'ProvisionFailed' | 'FinalBackup' | 'Deleting';
export type DatabaseEvent = { readonly type: 'applyAwaited' | 'connectionDue' | 'createdAsDraft' | 'createdOpen'
  | 'deletionSeen' | 'deployTakenUp' | 'externalAccepted' | 'failureCounted' | 'failureRepeated' | 'failureStood'
  | 'failureTimeExhausted' | 'failuresExhausted' | 'finalBackupAwaited' | 'finalBackupDue' | 'finalBackupFinished'
  | 'finalBackupRetried' | 'finalBackupWaitedOut' | 'gateClosed' | 'gateOpened' | 'givenUpFound'
  | 'permanentErrorFound' | 'provisioned' | 'redeployAsked' | 'restedReady' | 'restoreDue' | 'restoreFinished'
  | 'retryAsked' | 'specChanged' | 'storageUnavailable' | 'waitFound' | 'workloadDeleted' | 'workloadDue'
  | 'workloadRemains' };
export type DatabaseAction = 'applyWorkload' | 'createRestoreJob' | 'deleteWorkload' | 'discardRestore' | 'failAttempt'
  | 'recordFailure' | 'recordHost' | 'recordRestored' | 'retireArchive' | 'startAttempt' | 'startFinalBackup'
  | 'succeedAttempt' | 'writeConnection';
export type DatabaseEnsure = 'noWorkload';

export type DatabaseBackupState = 'NoBackup' | 'NeedsStorage' | 'Starting' | 'Protected' | 'AtRisk';
export type DatabaseBackupEvent = { readonly type: 'backupFound' | 'backupsRan' | 'backupsStayedOff'
  | 'backupsTurnedOff' | 'causeCleared' | 'changesUnsaved' | 'firstBackupAwaited' | 'firstBackupFinished'
  | 'latestBackupFailed' | 'planUnclear' | 'storageFailed' | 'storageMissing' | 'storageRecovered' };
export type DatabaseBackupAction = 'recordBackup' | 'removeBackup';
export type DatabaseBackupEnsure = 'archiveKept';

export type DeployWaitState = 'Waiting' | 'Done' | 'Failed' | 'Stopped' | 'TimedOut';
export type DeployWaitEvent = { readonly type: 'accessRefused' | 'buildCancelled' | 'buildFailed' | 'buildUnfinished'
  | 'deployAccepted' | 'deployRefused' | 'leftOut' | 'readyFound' | 'serviceNotFound' | 'stateFailed' | 'statusRefused'
  | 'statusSilent' | 'stillPending' | 'timeoutPassed' | 'unsettled' | 'waitUnasked' };
export type DeployWaitAction = 'exitFailed' | 'exitNotAllowed' | 'exitNotFound' | 'exitOtherError' | 'exitTimedOut'
  | 'nextService' | 'printProgress';
export type DeployWaitEnsure = never;

export type DeploymentRecordState = 'Recorded';
export type DeploymentRecordEvent = { readonly type: 'appDeleted' | 'newerCounted' | 'outlived' | 'recorded' };
export type DeploymentRecordAction = 'record';
export type DeploymentRecordEnsure = 'newestTwelve' | 'ownService';

export type DeviceSignInState = 'Pending' | 'Approved' | 'Refused' | 'Expired' | 'Issued';
export type DeviceSignInEvent = { readonly type: 'approved' | 'choiceRefused' | 'clockSetBack' | 'collectionAwaited'
  | 'decidedAgain' | 'decisionAwaited' | 'expired' | 'forgettingAwaited' | 'gaveWay' | 'operatorRestarted' | 'outlived'
  | 'polled' | 'polledAfterExpiry' | 'polledAfterIssue' | 'polledAfterRefusal' | 'polledTooFast' | 'refused'
  | 'started' | 'startedInPlace' | 'startedTooOften' | 'tokenCollected' | 'tokenTriedToDecide' | 'tooManyPending'
  | 'unknownCodeDecided' | 'unknownCodePolled' | 'viewerTriedToDecide' };
export type DeviceSignInAction = 'handOver' | 'issueCodes' | 'logApproval' | 'makeRoom' | 'mintToken' | 'reckonFromNow'
  | 'recordApproval' | 'recordPoll' | 'slowDown';
export type DeviceSignInEnsure = never;

export type DnsProviderReadyState = 'Connecting' | 'Connected' | 'Ready' | 'CredentialsIncomplete'
  | 'CredentialsInvalid' | 'TunnelError' | 'TunnelTokenError' | 'TunnelConfigError' | 'DNSError' | 'Absent';
export type DnsProviderReadyEvent = { readonly type: 'connected' | 'connectionSet' | 'connectionUnset'
  | 'credentialsRefused' | 'keysMissing' | 'modeChanged' | 'piecesDue' | 'recordFailed' | 'routesFailed'
  | 'stayedAbsent' | 'tokenFailed' | 'tunnelFailed' | 'tunnelPublished' };
export type DnsProviderReadyAction = 'forget' | 'publish' | 'report';
export type DnsProviderReadyEnsure = 'noTunnelAgent';

export type DraftDeployState = 'Draft' | 'Deployed' | 'PendingChanges' | 'SnapshotMissing' | 'Ungated';
export type DraftDeployEvent = { readonly type: 'atOnceSaved' | 'changeReverted' | 'changeSaved' | 'createRefused'
  | 'created' | 'createdDeployed' | 'deployRefused' | 'deployed' | 'deployedFound' | 'draftFound' | 'draftSaved'
  | 'editFound' | 'pendingFound' | 'redeployed' | 'stopped' | 'ungatedCreated' | 'ungatedFound' | 'unsnappedFound' };
export type DraftDeployAction = 'changeRevision' | 'clearMarkers' | 'disable' | 'enable' | 'markChanges' | 'saveDraft'
  | 'saveSpec' | 'saveUngated' | 'takeSnapshot';
export type DraftDeployEnsure = 'deployedRuns' | 'nothingRuns' | 'snapshotRuns' | 'specRuns';

export type LogicalDatabaseState = 'Provisioning' | 'Ready' | 'ProvisionFailed' | 'Deleting';
export type LogicalDatabaseEvent = { readonly type: 'adminLoginMissing' | 'attemptDue' | 'connectionDue'
  | 'connectionKept' | 'connectionWritten' | 'created' | 'databaseLost' | 'deletionFound' | 'dropProgressed'
  | 'dropStarted' | 'dropTimedOut' | 'dropped' | 'failureCounted' | 'failureRepeated' | 'failureStood'
  | 'failureTimeExhausted' | 'failuresExhausted' | 'finalizerMissing' | 'givenUpFound' | 'jobCreated' | 'jobProgressed'
  | 'otherJobFound' | 'otherKeepsIt' | 'ownServerLeft' | 'permanentErrorFound' | 'retryAsked' | 'serverLost'
  | 'serverMissing' | 'serverNotReady' | 'specChanged' | 'waitFound' };
export type LogicalDatabaseAction = 'createDropJob' | 'createJob' | 'failAttempt' | 'recordDatabase' | 'recordFailure'
  | 'removeJobs' | 'removeSecrets' | 'startAttempt' | 'succeedAttempt' | 'writeConnection';
export type LogicalDatabaseEnsure = 'noConnection' | 'noOtherJob';

export type ManagedDatabaseState = 'Refused' | 'Starting' | 'Ready' | 'LoginIssued';
export type ManagedDatabaseEvent = { readonly type: 'connectionDeleted' | 'connectionFound' | 'connectionKept'
  | 'databaseMissing' | 'deletionSeen' | 'engineRefused' | 'heldBack' | 'letGo' | 'loginDue' | 'loginStored'
  | 'loginUnclaimed' | 'matchFound' | 'otherKindFound' | 'passwordLost' | 'providerFailed' | 'refusalStood'
  | 'revokeFailed' | 'startAwaited' | 'startOverdue' | 'storeFailed' | 'storeRetryAwaited' | 'strayLoginFound' };
export type ManagedDatabaseAction = 'claimLogin' | 'createDatabase' | 'deleteConnection' | 'issueLogin'
  | 'recordRefusal' | 'recordStart' | 'recordStoreFailure' | 'revokeLogin' | 'storeConnection';
export type ManagedDatabaseEnsure = never;

export type NameLockoutState = 'Open' | 'Locked';
export type NameLockoutEvent = { readonly type: 'clockSetBack' | 'failedAgain' | 'failedFifth' | 'failedFirst'
  | 'failedFirstOfMany' | 'lockEndAwaited' | 'lockEnded' | 'signInAwaited' | 'signedIn' | 'triedWhileLocked'
  | 'unknownNameTried' };
export type NameLockoutAction = 'admit' | 'beginMinute' | 'countFailure' | 'dropOldestUnlocked' | 'dropSpent' | 'lock'
  | 'reckonFromNow' | 'refuse';
export type NameLockoutEnsure = never;

export type ObjectStoreState = 'Draft' | 'Provisioning' | 'Ready' | 'ProvisionFailed' | 'Deleting';
export type ObjectStoreEvent = { readonly type: 'contentsRemain' | 'contentsRemoved' | 'createdAsDraft' | 'createdOpen'
  | 'deletionSeen' | 'deployTakenUp' | 'failureCounted' | 'failureRepeated' | 'failureStood' | 'failureTimeExhausted'
  | 'failuresExhausted' | 'gateClosed' | 'gateOpened' | 'givenUpFound' | 'permanentErrorFound' | 'provisioned'
  | 'redeployAsked' | 'restedReady' | 'retryAsked' | 'specChanged' | 'useFound' | 'waitFound' };
export type ObjectStoreAction = 'failAttempt' | 'recordFailure' | 'startAttempt' | 'succeedAttempt';
export type ObjectStoreEnsure = 'broughtAbout' | 'noServer' | 'nothingLeft';

export type ProjectReadyState = 'Reconciling' | 'ReconcileError' | 'ProjectReady' | 'ProvisionFailed';
export type ProjectReadyEvent = { readonly type: 'clusterChanged' | 'clusterMissing' | 'clusterNotReady'
  | 'deletionFound' | 'environmentDoubled' | 'environmentInvalid' | 'gaveUp' | 'namespaceInvalid' | 'namespaceTaken'
  | 'piecesAwaited' | 'piecesMissing' | 'projectInvalid' | 'provisioned' | 'provisioningFailed' | 'specChanged'
  | 'stayedFailed' | 'variableMissing' };
export type ProjectReadyAction = 'provision' | 'recordEnvironments';
export type ProjectReadyEnsure = never;

export type ProvisionRetryState = 'Clean' | 'Counting' | 'ProvisionFailed';
export type ProvisionRetryEvent = { readonly type: 'deletionFound' | 'failureCounted' | 'failureRepeated'
  | 'generationChanged' | 'limitReached' | 'passSucceeded' | 'permanentlyFailed' | 'redeployFound' | 'retryAsked'
  | 'rowBegan' | 'stayedFailed' | 'timeRanOut' | 'waited' };
export type ProvisionRetryAction = 'beginRow' | 'clearRow' | 'countFailure' | 'giveUp' | 'giveUpAtOnce' | 'stopClock'
  | 'takeUpDeploy';
export type ProvisionRetryEnsure = never;

export type PullRequestEnvironmentState = 'Opening' | 'Open' | 'Closing';
export type PullRequestEnvironmentEvent = { readonly type: 'alreadyClosing' | 'alreadyOpen' | 'closed' | 'copied'
  | 'copiesAwaited' | 'draftSkipped' | 'environmentGone' | 'environmentOpened' | 'featureOff' | 'forkIgnored'
  | 'limitReached' | 'nameUnavailable' | 'nothingToOpen' | 'numberShared' | 'originRefused' | 'projectUnlinked'
  | 'pushed' | 'removalAwaited' | 'removed' | 'targetNotBuilt' };
export type PullRequestEnvironmentAction = 'rebuildCopies' | 'recordClosing' | 'recordEntry' | 'recordOpen'
  | 'removeEntry';
export type PullRequestEnvironmentEnsure = 'environmentCopied' | 'environmentRemoved';

export type ServiceState = 'Draft' | 'Provisioning' | 'Ready' | 'Asleep' | 'ProvisionFailed' | 'Deleting';
export type ServiceEvent = { readonly type: 'actAwaited' | 'buildAwaited' | 'createdAsDraft' | 'createdOpen'
  | 'deletionSeen' | 'deployTakenUp' | 'failureCounted' | 'failureRepeated' | 'failureStood' | 'failureTimeExhausted'
  | 'failuresExhausted' | 'fellAsleep' | 'gateClosed' | 'gateOpened' | 'givenUpFound' | 'imageTakenUp'
  | 'permanentErrorFound' | 'provisioned' | 'redeployAsked' | 'restedAsleep' | 'restedReady' | 'retryAsked'
  | 'specChanged' | 'waitFound' | 'woken' | 'workloadDeleted' | 'workloadDue' | 'workloadRemains' };
export type ServiceAction = 'applyWorkload' | 'attachBuild' | 'deleteWorkload' | 'failAttempt' | 'recordFailure'
  | 'startAttempt' | 'succeedAttempt';
export type ServiceEnsure = 'noWorkload';

export type SleepSettingState = 'Saved' | 'Sleeps' | 'StaysRunning' | 'Unanswered';
export type SleepSettingEvent = { readonly type: 'alwaysOnSaved' | 'answerAwaited' | 'answerMissed' | 'durationRefused'
  | 'settingRefused' | 'settingSaved' | 'sleepFound' | 'sleepRefused' | 'statusRefused' };
export type SleepSettingAction = 'exitRefused' | 'exitSleeps' | 'exitStaysRunning' | 'exitUnanswered' | 'recordSaved';
export type SleepSettingEnsure = never;

export type TokenState = 'Active' | 'Expired' | 'Revoked';
export type TokenEvent = { readonly type: 'collected' | 'created' | 'creatorRemoved' | 'environmentDeleted' | 'expired'
  | 'expiryRefused' | 'lifetimeRefused' | 'loggedOut' | 'projectDeleted' | 'revoked' | 'tokenTriedToCreate'
  | 'tokenTriedToRevoke' | 'unknownTokenUsed' | 'useAwaited' | 'used' | 'usedAfterEnd' | 'usedAfterPause'
  | 'viewerTriedToCreate' | 'viewerTriedToRevoke' | 'wrongSecretUsed' };
export type TokenAction = 'accept' | 'dropHash' | 'logCreation' | 'logRevocation' | 'recordUse' | 'refuse'
  | 'showSecret' | 'storeHash';
export type TokenEnsure = never;

export type WebhookDeliveryState = 'FirstAttempt' | 'SecondAttempt' | 'ThirdAttempt' | 'Failed' | 'Delivered';
export type WebhookDeliveryEvent = { readonly type: 'addressRefused' | 'answerAwaited' | 'answerRefused' | 'attemptDue'
  | 'attemptFailed' | 'attemptsSpent' | 'deployNotAnnounced' | 'eventChosen' | 'eventNotChosen' | 'queueFull'
  | 'received' | 'slotAwaited' | 'testFailed' | 'waitUnfinished' | 'webhookOff' };
export type WebhookDeliveryAction = 'claimAttempt' | 'drawEventId' | 'recordAttempt' | 'recordDelivery'
  | 'recordOverflow' | 'send';
export type WebhookDeliveryEnsure = never;

/** The names of each table, by the name of its machine. */
export interface Names {
  readonly activeDeployment: { state: ActiveDeploymentState; event: ActiveDeploymentEvent; action: ActiveDeploymentAction; ensure: ActiveDeploymentEnsure };
  readonly addressLockout: { state: AddressLockoutState; event: AddressLockoutEvent; action: AddressLockoutAction; ensure: AddressLockoutEnsure };
  readonly backupArchive: { state: BackupArchiveState; event: BackupArchiveEvent; action: BackupArchiveAction; ensure: BackupArchiveEnsure };
  readonly build: { state: BuildState; event: BuildEvent; action: BuildAction; ensure: BuildEnsure };
  readonly consoleSession: { state: ConsoleSessionState; event: ConsoleSessionEvent; action: ConsoleSessionAction; ensure: ConsoleSessionEnsure };
  readonly dashboardDomainReady: { state: DashboardDomainReadyState; event: DashboardDomainReadyEvent; action: DashboardDomainReadyAction; ensure: DashboardDomainReadyEnsure };
  readonly dashboardSession: { state: DashboardSessionState; event: DashboardSessionEvent; action: DashboardSessionAction; ensure: DashboardSessionEnsure };
  readonly database: { state: DatabaseState; event: DatabaseEvent; action: DatabaseAction; ensure: DatabaseEnsure };
  readonly databaseBackup: { state: DatabaseBackupState; event: DatabaseBackupEvent; action: DatabaseBackupAction; ensure: DatabaseBackupEnsure };
  readonly deployWait: { state: DeployWaitState; event: DeployWaitEvent; action: DeployWaitAction; ensure: DeployWaitEnsure };
  readonly deploymentRecord: { state: DeploymentRecordState; event: DeploymentRecordEvent; action: DeploymentRecordAction; ensure: DeploymentRecordEnsure };
  readonly deviceSignIn: { state: DeviceSignInState; event: DeviceSignInEvent; action: DeviceSignInAction; ensure: DeviceSignInEnsure };
  readonly dnsProviderReady: { state: DnsProviderReadyState; event: DnsProviderReadyEvent; action: DnsProviderReadyAction; ensure: DnsProviderReadyEnsure };
  readonly draftDeploy: { state: DraftDeployState; event: DraftDeployEvent; action: DraftDeployAction; ensure: DraftDeployEnsure };
  readonly logicalDatabase: { state: LogicalDatabaseState; event: LogicalDatabaseEvent; action: LogicalDatabaseAction; ensure: LogicalDatabaseEnsure };
  readonly managedDatabase: { state: ManagedDatabaseState; event: ManagedDatabaseEvent; action: ManagedDatabaseAction; ensure: ManagedDatabaseEnsure };
  readonly nameLockout: { state: NameLockoutState; event: NameLockoutEvent; action: NameLockoutAction; ensure: NameLockoutEnsure };
  readonly objectStore: { state: ObjectStoreState; event: ObjectStoreEvent; action: ObjectStoreAction; ensure: ObjectStoreEnsure };
  readonly projectReady: { state: ProjectReadyState; event: ProjectReadyEvent; action: ProjectReadyAction; ensure: ProjectReadyEnsure };
  readonly provisionRetry: { state: ProvisionRetryState; event: ProvisionRetryEvent; action: ProvisionRetryAction; ensure: ProvisionRetryEnsure };
  readonly pullRequestEnvironment: { state: PullRequestEnvironmentState; event: PullRequestEnvironmentEvent; action: PullRequestEnvironmentAction; ensure: PullRequestEnvironmentEnsure };
  readonly service: { state: ServiceState; event: ServiceEvent; action: ServiceAction; ensure: ServiceEnsure };
  readonly sleepSetting: { state: SleepSettingState; event: SleepSettingEvent; action: SleepSettingAction; ensure: SleepSettingEnsure };
  readonly token: { state: TokenState; event: TokenEvent; action: TokenAction; ensure: TokenEnsure };
  readonly webhookDelivery: { state: WebhookDeliveryState; event: WebhookDeliveryEvent; action: WebhookDeliveryAction; ensure: WebhookDeliveryEnsure };
}
