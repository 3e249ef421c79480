import type { StoredCause } from '../../crds/cause.ts';
import { repositoryName } from '../build/repository.ts';
import { hidden, type Message, nothing, open, sentence, toViewers } from '../words.ts';
import type { View } from '../access/needs.ts';
import type { ObjectRef } from './cause.ts';
import type { CauseReason } from './reasons.ts';
import { namesTo } from './visible.ts';

/** The fields of an object that its hints name. */
export interface HintedObject {
  readonly kind: string;
  readonly name: string;
  readonly port?: number | undefined;
  /** Where a repository is pushed to. */
  readonly git?: { readonly repository?: string | undefined; readonly branch?: string | undefined } | undefined;
  /** Base of the clone addresses. */
  readonly gitUrl: string;
}

interface HintInput {
  /** The object that has the cause. */
  readonly owner: HintedObject;
  /** Whether the cause is its own, and not that of what it waits for. */
  readonly isOwn: boolean;
  /** The object at fault. */
  readonly at: ObjectRef;
  /** The least view that reads the name of that object. */
  readonly to: View;
  readonly params: StoredCause['params'];
}

type Hint = (input: HintInput) => Message;

const none: Hint = () => nothing;
const always =
  (message: Message): Hint =>
  () =>
    message;

const nameOf = ({ at, to }: HintInput) => ({ value: at.name, to });
const namespaceOf = ({ at }: HintInput) => toViewers(at.namespace);
const isService = ({ owner, isOwn }: HintInput): boolean => isOwn && owner.kind === 'CoreApp';

const workloads: readonly string[] = ['Deployment', 'StatefulSet', 'ReplicaSet'];

function readLog(input: HintInput): Message {
  const { owner, at } = input;
  if (isService(input)) return sentence('Read the log: core logs {app}', { app: toViewers(owner.name) });
  if (!workloads.includes(at.kind)) return open('Read the log of its copies.');
  return sentence('Read the log: kubectl logs {kind}/{name} -n {namespace}', {
    kind: toViewers(at.kind.toLowerCase()),
    name: nameOf(input),
    namespace: namespaceOf(input),
  });
}

function checkPort(input: HintInput): Message {
  const { port } = input.owner;
  if (!isService(input) || port === undefined) return open('Read why its readiness probe fails.');
  return sentence('See whether it listens on port {port}.', { port: toViewers(port) });
}

const resume: Hint = (input) =>
  sentence('kubectl rollout resume deployment/{name} -n {namespace}', {
    name: nameOf(input),
    namespace: namespaceOf(input),
  });

const scale: Hint = (input) =>
  isService(input)
    ? sentence('core scale {app} 1', { app: toViewers(input.owner.name) })
    : sentence('kubectl scale deployment/{name} -n {namespace} --replicas=1', {
        name: nameOf(input),
        namespace: namespaceOf(input),
      });

const types: Readonly<Record<string, string>> = { Secret: 'secret generic', ConfigMap: 'configmap' };

const createSource: Hint = (input) =>
  sentence('kubectl create {type} {name} -n {namespace}, or set the variable.', {
    type: toViewers(types[input.at.kind] ?? input.at.kind.toLowerCase()),
    name: nameOf(input),
    namespace: namespaceOf(input),
  });

const addKey: Hint = (input) =>
  sentence('kubectl edit {kind} {name} -n {namespace} to add the key, or set the variable.', {
    kind: toViewers(input.at.kind.toLowerCase()),
    name: nameOf(input),
    namespace: namespaceOf(input),
  });

const push: Hint = ({ owner: { git, gitUrl } }) => {
  const name = gitUrl === '' ? null : repositoryName(git?.repository ?? '', gitUrl);
  return sentence('git push {url} HEAD:{branch}', {
    url: name === null ? toViewers('<url>') : hidden(`${gitUrl.replace(/\/+$/, '')}/${name}.git`),
    branch: toViewers(git?.branch || 'main'),
  });
};

const byStatus: Readonly<Record<string, Message>> = {
  401: open('Renew the credentials of the Git host connection.'),
  403: open('Permit the Git host connection to read the repository.'),
  404: open('Check the name of the repository, and that the Git host connection has access to it.'),
};

const gitHost: Hint = ({ params = [] }) => {
  const status = params.find(({ name }) => name === 'status')?.value.slice(0, 3) ?? '';
  return byStatus[status] ?? open('Check the Git host connection and the name of the repository.');
};

const correctNamed = always(open('Correct what the message names.'));

const hints: Readonly<Record<CauseReason, Hint>> = {
  ImagePullFailed: always(open("Check the image's name and tag, and the registry's credentials.")),
  ContainerConfigMissing: always(open('Create it, or take the reference away.')),
  OutOfMemory: always(open('Raise the memory limit.')),
  CrashLoop: readLog,
  ProbeFailing: checkPort,
  CopiesStarting: none,
  RolloutPaused: resume,
  ScaledToZero: scale,
  Unschedulable: always(open('Add a node, or lower the requests.')),
  QuotaExceeded: always(open('Raise the quota, or scale down.')),
  PodsRefused: correctNamed,
  VolumeFailed: none,
  Flapping: none,
  ProjectMissing: none,
  EnvironmentMissing: none,
  ProjectNotReady: none,
  ClusterNotReady: none,
  NamespaceTerminating: always(open('Let the owner of the finalizer end, or take it away.')),
  NamespaceTaken: always(open('Choose another name for the environment, or remove the namespace.')),
  SpecInvalid: correctNamed,
  SecretMissing: createSource,
  KeyMissing: addKey,
  DatabaseNotReady: none,
  BucketNotReady: none,
  ServerNotReady: none,
  DatabaseMissing: none,
  BucketMissing: none,
  ServerMissing: none,
  NoNode: none,
  NodesReserved: none,
  NoRoom: none,
  FirstPushAwaited: push,
  GitHostRefused: gitHost,
  GitHostSilent: none,
  ChecksPending: none,
  ChecksFailed: always(open('Fix the failed check and push again.')),
  BuildRunning: none,
  BuildFailed: always(open('Open the log at its first error.')),
  BuildCancelled: always(open('Rebuild.')),
  RegistryMissing: always(open('Set the registry of the platform, or one for this service.')),
  GitConnectionNotReady: always(open('Open the Git host connection and correct what it reports.')),
  HostTaken: always(open('Choose another host.')),
  StorageClassMissing: always(open('Install the storage add-on.')),
  VolumePending: none,
  ChartInstalling: none,
  ProviderStarting: none,
  Restoring: none,
  ChartFailed: none,
  RestoreFailed: none,
  CreateJobFailed: none,
  ReadinessReportMissing: always(open('Settings, Usage, Run readiness check.')),
  CloudRefused: none,
  CloudSilent: none,
  CloudConnectionMissing: none,
  CloudConnectionForeign: none,
  BackupStorageMissing: none,
  BackupStorageFailing: none,
  BackupFailed: none,
  ChangesNotSaved: none,
  ClusterRefused: none,
  ForeignObject: always(open('Rename one of them.')),
  Contested: none,
  SettingRefused: always(open('Correct the setting.')),
  DeletionWaits: none,
  Paused: none,
};

const retry = open('That is over: Retry.');

/** What to do about a cause, by the reason at its root; empty when nothing but waiting helps. */
export function hintOf(owner: HintedObject, cause: StoredCause): Message {
  if (cause.resolved === true) return retry;
  const { root, on, params } = cause;
  const at = root ?? on;
  const hint = hints[(root ?? cause).reason as CauseReason] as Hint | undefined;
  const to = namesTo(owner.kind, at.kind, on.kind);
  return hint?.({ owner, isOwn: root === undefined, at, to, params }) ?? nothing;
}
