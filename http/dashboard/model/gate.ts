import type { Summary } from '../../api.ts';

/** When a saved change of a resource takes effect: `never` while it is being deleted. */
export type Applies = 'atOnce' | 'onDeploy' | 'onceDeployed' | 'never';

type Gated = Pick<Summary, 'kind' | 'state' | 'details'>;

/** Whether each saved change takes effect without a deploy, whatever state is shown. */
const isUngated = ({ details }: Gated): boolean => details['appliesAtOnce'] === true;

/** Whether a resource is a draft, of which nothing runs. */
export const isDraft = (resource: Gated): boolean => resource.state === 'draft' && !isUngated(resource);

/** When a saved change takes effect, by the state of the deploy gate. */
export function appliesOf(resource: Gated): Applies {
  if (resource.state === 'deleting') return 'never';
  if (isUngated(resource)) return 'atOnce';
  return isDraft(resource) ? 'onceDeployed' : 'onDeploy';
}

const nouns: Readonly<Record<string, string>> = { CoreDatabase: 'database', CoreObjectStore: 'object store' };

const sentences: Readonly<Record<Applies, (noun: string) => string>> = {
  atOnce: (noun) => `Applies at once: this ${noun} is deployed on every change.`,
  onDeploy: () => 'Saved; takes effect on the next deploy.',
  onceDeployed: () => 'Saved with the draft; takes effect once it is deployed.',
  never: () => 'Being deleted; nothing can be changed.',
};

/** When a setting applies that may wait for a deploy. */
export const appliesWord = (resource: Gated): string =>
  sentences[appliesOf(resource)](nouns[resource.kind] ?? 'service');

/** When a setting applies that never waits for a deploy of what runs. */
export const atOnceWord = (resource: Gated): string =>
  appliesOf(resource) === 'onDeploy' ? 'Applies as soon as it is saved, without a deploy.' : appliesWord(resource);

/** What a form of settings that may wait for a deploy is called. */
export const settingsTitle = (resource: Gated): string =>
  appliesOf(resource) === 'onDeploy' ? 'On next deploy' : 'Settings';

const scheduled: Readonly<Record<Applies, string>> = {
  atOnce: 'never',
  onDeploy: 'after the next deploy',
  onceDeployed: 'once it is deployed',
  never: 'never',
};

/** When a schedule that does not run begins to. */
export const scheduledWord = (resource: Gated): string => scheduled[appliesOf(resource)];

const called: Readonly<Record<Applies, string>> = {
  atOnce: 'the code that runs',
  onDeploy: 'the deployed code, not what is saved',
  onceDeployed: 'nothing of it runs until it is deployed',
  never: 'it is being deleted',
};

/** Which code of a function a call reaches. */
export const calledWord = (resource: Gated): string => called[appliesOf(resource)];

/** What a stop and a deletion of a database do; a stop turns the gate on. */
export const endingsWord = (resource: Gated): string =>
  appliesOf(resource) === 'atOnce'
    ? 'A stop makes it a draft, and its changes wait for a deploy from then on; a deletion removes it. Both ask what is lost first.'
    : 'A stop makes it a draft again; a deletion removes it. Both ask what is lost first.';

/** What is different of a service that kubectl makes. */
export const madeByHand = 'Made with kubectl, a service is deployed on every change: it has no draft.';
