import type { CoreProject, Webhook } from '../../crds/coreProject.ts';
import { type AddressCheck } from '../webhookDelivery/addressCheck.ts';
import { refusalText } from '../webhookDelivery/address.ts';
import { changed, type ProjectChange, refusedAsAsked, refusedByState } from './change.ts';

/** The Secret of core-system with the signing secrets of a project's webhooks, by their ids. */
export const webhookSecretOf = (project: string): string => `${project}-webhooks`;

/** What a request may set of a webhook. */
export type WebhookAsked = Partial<Pick<Webhook, 'url' | 'events' | 'disabled'>>;

/** The most webhooks of a project, and the length of their addresses (document 001, Limits). */
const maxWebhooks = 20;
const shortestUrl = 8;
const longestUrl = 2048;

export const webhooksOf = ({ spec }: CoreProject): readonly Webhook[] => spec.webhooks ?? [];

export const webhookIn = (project: CoreProject, id: string): Webhook | undefined =>
  webhooksOf(project).find((webhook) => webhook.id === id);

/** What is wrong with the address of a webhook, without resolving its name; null for nothing. */
function urlFault(text: string, check: AddressCheck): string | null {
  if (text.length < shortestUrl || text.length > longestUrl)
    return `url must have ${shortestUrl} to ${longestUrl} characters`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return 'url must be an http or https address';
  const refusal = check({ url, ip: null });
  return refusal === null ? null : refusalText(refusal).text;
}

const withWebhooks = (webhooks: readonly Webhook[]): ProjectChange => changed({ spec: { webhooks } });

/** A project with one more webhook. */
export function webhookAdded(project: CoreProject, webhook: Webhook, check: AddressCheck): ProjectChange {
  const fault = urlFault(webhook.url, check);
  if (fault !== null) return refusedAsAsked(fault);
  const webhooks = webhooksOf(project);
  if (webhooks.length >= maxWebhooks) return refusedByState(`a project has at most ${maxWebhooks} webhooks`);
  return withWebhooks([...webhooks, webhook]);
}

/** A project with new settings of one of its webhooks. */
export function webhookChanged(
  project: CoreProject,
  id: string,
  asked: WebhookAsked,
  check: AddressCheck,
): ProjectChange {
  const fault = asked.url === undefined ? null : urlFault(asked.url, check);
  if (fault !== null) return refusedAsAsked(fault);
  return withWebhooks(webhooksOf(project).map((webhook) => (webhook.id === id ? { ...webhook, ...asked } : webhook)));
}

export const webhookRemoved = (project: CoreProject, id: string): ProjectChange =>
  withWebhooks(webhooksOf(project).filter((webhook) => webhook.id !== id));
