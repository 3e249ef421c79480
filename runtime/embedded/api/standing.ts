import { type Answer, indented, json } from './answer.ts';
import { issuer } from './authentication/accountTokens.ts';
import { version } from './discovery.ts';
import { healthPaths } from './health.ts';
import type { Registry } from './kinds/registry.ts';
import { groupVersion } from './kinds/type.ts';
import { metrics } from './metrics.ts';
import type { ApiStore } from './store/store.ts';
import type { Json } from './json.ts';

interface Standing {
  readonly store: ApiStore;
  readonly registry: Registry;
  /** What the tokens of service accounts are checked with, as a set of JSON web keys. */
  readonly keySet: Json;
  readonly url: () => string;
}

const keysPath = '/openid/v1/jwks';
const discoveryPath = '/.well-known/openid-configuration';
const forAnHour = { cacheControl: 'public, max-age=3600' } as const;

/** What stands beside the groups of resources; null for any other path. */
export function standing(path: string, from: Standing): Answer | null {
  switch (path) {
    case '/':
    case '/index.html':
      return { code: 200, text: indented({ paths: pathsOf(from.registry) }) };
    case '/version':
    case '/version/':
      return { code: 200, text: indented(version) };
    case '/metrics':
      return { code: 200, text: metrics(from), mediaType: 'text/plain; version=0.0.4; charset=utf-8' };
    case discoveryPath:
      return { ...json(openId(from.url())), ...forAnHour };
    case keysPath:
      return { ...json(from.keySet), ...forAnHour, mediaType: 'application/jwk-set+json' };
    default:
      return null;
  }
}

const openId = (url: string) => ({
  issuer,
  jwks_uri: `${url}${keysPath}`,
  response_types_supported: ['id_token'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

function pathsOf(registry: Registry): readonly string[] {
  const groups = registry
    .all()
    .filter(({ group }) => group !== '')
    .flatMap((type) => [`/apis/${type.group}`, `/apis/${groupVersion(type)}`]);
  const others = ['/api', '/api/v1', '/apis', '/apis/', '/metrics', '/openapi/v2', '/openapi/v3', '/version'];
  return [...new Set([discoveryPath, keysPath, ...others, ...groups, ...healthPaths()])].toSorted();
}
