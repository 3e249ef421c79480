import type { TSchema } from '@sinclair/typebox';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import * as assert from 'uvu/assert';
import { hasEtag, refusalsOf } from '../../http/openapi/answers.ts';
import { errorBody, type RouteSchema } from '../../http/openapi/schema.ts';
import { allRoutes } from '../../http/routes/list.ts';
import { type RouteId, routes } from '../../rules/access/routes.ts';

interface Told {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A validator runs a few times in a process: to optimize its code costs more than that saves. */
const ajv = new Ajv({ strict: true, allowUnionTypes: true, code: { optimize: false } });
formats.default(ajv);

/** The schema with every object closed, because a response must not have undescribed fields either. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return 'properties' in copy && !('additionalProperties' in copy) ? { ...copy, additionalProperties: false } : copy;
}

const validators = new Map<TSchema, ValidateFunction>();
function validatorOf(schema: TSchema): ValidateFunction {
  const known = validators.get(schema) ?? ajv.compile(closed(schema) as object);
  validators.set(schema, known);
  return known;
}

function holds(schema: TSchema, { method, url, status, text }: Told) {
  const validate = validatorOf(schema);
  if (!validate(JSON.parse(text)))
    assert.unreachable(`${method} ${url} ${status} is not as described: ${ajv.errorsText(validate.errors)}\n${text}`);
}

const patterns = (Object.keys(routes) as RouteId[]).map((route) => {
  const [method = '', path = ''] = route.split(' ');
  return { route, method, pattern: new RegExp(`^/api(?:/v1)?${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) };
});

/** Statuses of requests that reached no route: they were malformed, or cut off. */
const beforeRoutes = new Set([405, 408, 413, 417, 431, 501]);

/** Validates a response of the API against the schema of its route; anything else passes. */
export function assertDescribed(told: Told): void {
  const { method, url, status, type, text } = told;
  const { pathname } = new URL(url);
  const route = patterns.find((one) => one.method === method && one.pattern.test(pathname))?.route;
  if (route === undefined || text === '{"error":"not found"}') return;
  const schema: RouteSchema = allRoutes[route].schema;
  const given = schema.answers[status];
  if (status === 304) return assert.ok(Object.values(schema.answers).some(hasEtag), `${route} is never 304`);
  if (given === undefined) {
    const isTold = status >= 500 || beforeRoutes.has(status) || refusalsOf(route, schema)[status] !== undefined;
    assert.ok(isTold, `${route} answered ${status}, which is not described: ${text}`);
    return holds(errorBody, told);
  }
  const names = {
    json: 'application/json',
    text: 'text/plain',
    bytes: 'application/octet-stream',
    events: 'text/event-stream',
  } as const;
  const content = given.content.find(({ is }) => type.startsWith(names[is]));
  if (content === undefined) return assert.unreachable(`${route} answered with ${type}, which is not described`);
  return content.is === 'json' ? holds(content.schema, told) : undefined;
}
