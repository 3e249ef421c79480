import type { InstanceRead, Machine } from '../../api.ts';
import type { Action } from '../components/actionButton.tsx';
import { readsOnly } from '../components/checkNow.ts';
import { mayAct } from '../store/session.ts';
import { resourceRequest } from '../api.ts';

/** The state of an instance's object in one of its machines. */
const stateIn = ({ machine, state, others }: InstanceRead, name: string): string =>
  machine === name ? state : (others.find((other) => other.machine === name)?.state ?? '');

/** Whether a machine has an arrow for an event in the state of an object. */
const answers = (
  machines: readonly Machine[],
  name: string,
  given: { readonly state: string; readonly event: string },
) =>
  machines
    .find((machine) => machine.name === name)
    ?.rows.some(({ event, from }) => event === given.event && from.includes(given.state)) ?? true;

const isDeleting = ({ state, others }: InstanceRead): boolean =>
  [state, ...others.map((other) => other.state)].includes('Deleting');

const deployWords: Readonly<Record<string, string>> = { Draft: 'Deploy', Deployed: 'Redeploy', Ungated: 'Redeploy' };

/** The actions of what is deployed, each with why it is refused, if it is. */
export function deployedActions(instance: InstanceRead, machines: readonly Machine[]): readonly Action[] {
  const { kind, name } = instance;
  const draft = stateIn(instance, 'draftDeploy');
  const retries = answers(machines, 'provisionRetry', {
    state: stateIn(instance, 'provisionRetry'),
    event: 'retryAsked',
  });
  const refused = !mayAct() ? readsOnly : isDeleting(instance) ? `"${name}" is being deleted` : undefined;
  return [
    {
      label: deployWords[draft] ?? 'Deploy changes',
      request: resourceRequest({ kind, name }, 'deploy'),
      refused,
    },
    {
      label: 'Retry',
      request: resourceRequest({ kind, name }, 'retry'),
      refused: refused ?? (retries ? undefined : 'Provisioning has not failed, so there is nothing to retry'),
    },
  ];
}
