import { Type } from '@sinclair/typebox';
import { objectName, pathText } from '../kit.ts';
import { pageQuery, pages } from '../paging.ts';
import { said, type SomeSchemas } from '../schema.ts';
import { deleted } from '../../routes/resource.ts';
import {
  deliveryAsked,
  deliveryItem,
  webhookAsked,
  webhookChange,
  webhookCreated,
  webhookItem,
} from '../../routes/projectWebhooks/shapes.ts';

const group = 'Projects';
const path = { project: objectName };
const one = { ...path, webhook: pathText };
const noProject = 'There is no such project.';
const noWebhook = 'There is no such project or webhook.';
const isDeleted = 'The project is being deleted.';

/** Signed messages about deploys (document 001, Events). */
export const webhookSchemas = {
  'GET /projects/{project}/webhooks': {
    group,
    summary: 'Lists the webhooks of a project, without their secrets.',
    path,
    query: Type.Object(pageQuery),
    ...pages(webhookItem, 'The webhooks.', { 404: noProject }),
  },
  'POST /projects/{project}/webhooks': {
    group,
    summary: 'Adds a webhook to a project; its secret is returned once.',
    path,
    body: { schema: webhookAsked },
    answers: { 201: said(webhookCreated, 'It is added.') },
    refusals: { 404: noProject, 409: 'The project has 20, or is being deleted.' },
  },
  'PATCH /projects/{project}/webhooks/{webhook}': {
    group,
    summary: 'Changes a webhook, or pauses it.',
    path: one,
    body: { schema: webhookChange },
    answers: { 200: said(webhookItem, 'The webhook.') },
    refusals: { 404: noWebhook, 409: isDeleted },
  },
  'DELETE /projects/{project}/webhooks/{webhook}': {
    group,
    summary: 'Removes a webhook with its secret.',
    path: one,
    answers: { 200: said(deleted, 'It is removed.') },
    refusals: { 404: noWebhook, 409: isDeleted },
  },
  'POST /projects/{project}/webhooks/{webhook}/rotate': {
    group,
    summary: 'Gives a webhook a new secret, which is returned once.',
    path: one,
    answers: { 200: said(webhookCreated, 'The new secret signs from now on.') },
    refusals: { 404: noWebhook, 409: isDeleted },
  },
  'POST /projects/{project}/webhooks/{webhook}/test': {
    group,
    summary: 'Sends a test event, in one attempt.',
    path: one,
    answers: { 200: said(deliveryAsked, 'It will be sent.') },
    refusals: { 404: noWebhook, 409: 'The webhook is paused, or too many events wait.' },
  },
  'GET /projects/{project}/webhooks/{webhook}/deliveries': {
    group,
    summary: 'Lists the deliveries of a webhook among the newest 20 of its project, the newest first.',
    path: one,
    query: Type.Object(pageQuery),
    ...pages(deliveryItem, 'The deliveries.', { 404: noWebhook }),
  },
  'POST /projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver': {
    group,
    summary: 'Sends the event of a delivery again.',
    path: { ...one, delivery: pathText },
    answers: { 200: said(deliveryAsked, 'It will be sent.') },
    refusals: {
      404: 'There is no such project, webhook or delivery.',
      409: 'The webhook is paused, the delivery is under way, or its event is kept no longer.',
    },
  },
} as const satisfies SomeSchemas;
