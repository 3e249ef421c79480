import { type Answer, json } from '../answer.ts';
import type { Registry } from '../kinds/registry.ts';
import type { ResourceType } from '../kinds/type.ts';
import { noSuchPath } from '../status.ts';
import { version } from '../discovery.ts';
import { groupDocument } from './document.ts';
import { minimalDocument } from './protobuf.ts';

const info = { title: 'Kubernetes', version: version.gitVersion };
const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

/** The documents that describe the API; null for any other path. */
export function openapi(path: string, accept: string, registry: Registry): Answer | null {
  if (path === '/openapi/v2') return versionTwo(accept);
  if (path === '/openapi/v3') return json({ paths: index(registry.all()) });
  if (!path.startsWith('/openapi/v3/')) return null;
  const asked = path.slice('/openapi/v3/'.length);
  const types = registry.all().filter((type) => pathOf(type) === asked);
  if (types.length === 0) throw noSuchPath();
  return json(groupDocument(types, info));
}

/** Names no kind: clients that know nothing better then leave the checking to the server. */
function versionTwo(accept: string): Answer {
  if (!accept.includes('proto-openapi')) return json({ swagger: '2.0', info, paths: {}, definitions: {} });
  return { code: 200, text: minimalDocument(info), mediaType: protobuf };
}

const pathOf = ({ group, version }: ResourceType) => (group === '' ? `api/${version}` : `apis/${group}/${version}`);

const index = (types: readonly ResourceType[]) =>
  Object.fromEntries(types.map((type) => [pathOf(type), { serverRelativeURL: `/openapi/v3/${pathOf(type)}` }]));
