import { keptReads } from '../response.ts';
import { makeDocument } from '../openapi/document.ts';
import type { Routes } from '../registeredRoutes.ts';

/** The description of the API; it is made on the first request and never changes. */
export function openapiRoutes(routes: Routes): void {
  const send = keptReads((document: object) => document);
  let document: object | null = null;
  routes.on('GET /openapi.json', function readDescription(ctx, { view }) {
    document ??= makeDocument();
    send(ctx, document, view);
  });
}
