import { createHash } from 'node:crypto';
import { type Answer, kept } from '../answer.ts';
import { version } from '../discovery.ts';
import type { Registry } from '../kinds/registry.ts';
import type { ResourceType } from '../kinds/type.ts';
import { noSuchPath } from '../status.ts';
import { definition } from '../published/definitions.ts';
import { groupDocument, wholeDocument } from './document.ts';
import { encodeDocument } from './protobuf.ts';
import { schemaName } from './schemas.ts';

/** What is published is described; what only this cluster serves of others' kinds is not. */
const isPublished = (type: ResourceType) => type.custom !== undefined || definition(schemaName(type)) !== null;

const info = { title: 'Kubernetes', version: version.gitVersion };
/** Clients ask for it with an @ in its name, which no media type may have. */
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

/** The documents that describe the API; null for any other path. */
export function openapi(path: string, accept: string, registry: Registry): Answer | null {
  if (!path.startsWith('/openapi/')) return null;
  const served = registry.all();
  if (path === '/openapi/v2') return accept.includes('proto-openapi') ? asProtobuf(served) : asJson(served);
  const all = served.filter(isPublished);
  if (path === '/openapi/v3') return kept({ paths: index(all) });
  if (!path.startsWith('/openapi/v3/')) return null;
  const asked = path.slice('/openapi/v3/'.length);
  const types = all.filter((type) => pathOf(type) === asked);
  if (types.length === 0) throw noSuchPath();
  return kept(groupDocument(types, info));
}

/** The document takes long to write, and stays the same until another kind is served. */
const asJson = onceFor((served) => kept(wholeDocument(served.filter(isPublished), info)));

const asProtobuf = onceFor((served) => {
  const bytes = encodeDocument(wholeDocument(served.filter(isPublished), info));
  return {
    stream: (response) => {
      response.writeHead(200, { 'Content-Type': protobuf, 'Content-Length': bytes.length });
      response.end(bytes);
    },
  };
});

type Served = readonly ResourceType[];

function onceFor(write: (served: Served) => Answer): (served: Served) => Answer {
  const written = new WeakMap<Served, Answer>();
  return (served) => {
    const answer = written.get(served) ?? write(served);
    written.set(served, answer);
    return answer;
  };
}

const pathOf = ({ group, version }: ResourceType) => (group === '' ? `api/${version}` : `apis/${group}/${version}`);

/** Where each document stands; the hash changes when it does, so that clients may keep it. */
function index(types: readonly ResourceType[]) {
  const paths = [...new Set(types.map(pathOf))];
  return Object.fromEntries(
    paths.map((path) => {
      const hash = hashOf(types.filter((type) => pathOf(type) === path));
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
    }),
  );
}

const hashes = new WeakMap<ResourceType, string>();

function hashOf(types: readonly ResourceType[]): string {
  const all = createHash('sha512').update(version.gitVersion);
  for (const type of types) {
    const known = hashes.get(type) ?? createHash('sha512').update(JSON.stringify(type)).digest('hex');
    hashes.set(type, known);
    all.update(known);
  }
  return all.digest('hex').toUpperCase();
}
