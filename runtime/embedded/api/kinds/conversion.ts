import { type Json, at, isJson, jsonAt, numberAt, textAt } from '../json.ts';
import { StatusError } from '../status.ts';
import type { ResourceType } from './type.ts';

const httpsPort = 443;

/** How a definition says that versions are converted, with its defaults: by their name alone where it says nothing. */
export function withConversionDefaults(conversion: unknown): unknown {
  if (conversion === undefined) return { strategy: 'None' };
  const webhook = jsonAt(conversion, 'webhook');
  const clientConfig = jsonAt(webhook, 'clientConfig');
  const { service } = clientConfig;
  if (!isJson(conversion) || !isJson(service) || service['port'] !== undefined) return conversion;
  const whole = { ...clientConfig, service: { ...service, port: httpsPort } };
  return { ...conversion, webhook: { ...webhook, clientConfig: whole } };
}

/** The address that would convert objects of a definition; null where their versions differ in name alone. */
export function webhookOf(definition: unknown): string | null {
  const conversion = at(definition, 'spec', 'conversion');
  if (textAt(conversion, 'strategy') !== 'Webhook') return null;
  const { url, service } = jsonAt(conversion, 'webhook', 'clientConfig');
  return typeof url === 'string' ? url : addressOf(service);
}

function addressOf(service: unknown): string {
  const port = numberAt(service, 'port') || httpsPort;
  const path = textAt(service, 'path').replace(/^\/?/, '/');
  return `https://${textAt(service, 'name')}.${textAt(service, 'namespace')}.svc:${port}${path}`;
}

/** Refuses to make another version of an object where that takes a webhook: none is called. */
export function checkConvertible({ custom }: ResourceType, object: Json): void {
  if (custom?.webhook === undefined) return;
  const from = `${textAt(object, 'apiVersion')}, Kind=${textAt(object, 'kind')}`;
  const asked = `Post "${custom.webhook}?timeout=30s"`;
  throw new StatusError(500, '', `conversion webhook for ${from} failed: ${asked}: webhooks are not called`);
}
