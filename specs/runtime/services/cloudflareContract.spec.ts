import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';
import { memoryProvider } from '../../support/memoryProvider.ts';
import { serveProvider } from '../../support/providerServer.ts';
import { suite } from '../../support/suite.ts';
import { unless } from '../../support/unless.ts';

/** As much of the provider's own client as is called here; it is large, and not installed with the project. */
interface Sdk {
  readonly zones: { readonly list: (asked?: object) => AsyncIterable<Named> };
  readonly dns: {
    readonly records: {
      readonly list: (asked: object) => AsyncIterable<DnsRecord>;
      readonly create: (asked: object) => Promise<DnsRecord>;
      readonly edit: (id: string, asked: object) => Promise<{ readonly id?: string }>;
      readonly delete: (id: string, asked: object) => Promise<{ readonly id?: string }>;
    };
  };
  readonly zeroTrust: {
    readonly tunnels: {
      readonly cloudflared: {
        readonly list: (asked: object) => AsyncIterable<Tunnel>;
        readonly create: (asked: object) => Promise<Tunnel>;
        readonly token: { readonly get: (id: string, asked: object) => Promise<string> };
        readonly configurations: { readonly update: (id: string, asked: object) => Promise<unknown> };
      };
    };
  };
}
interface Named {
  readonly id: string;
  readonly name: string;
}
interface DnsRecord extends Named {
  readonly type: string;
  readonly content?: string;
  readonly proxied: boolean;
  readonly comment?: string;
}
interface Tunnel {
  readonly id?: string;
  readonly connections?: readonly object[];
}
type SdkClass = new (options: {
  readonly apiToken: string;
  readonly baseURL: string;
  readonly maxRetries: number;
}) => Sdk;

const sdk = (() => {
  try {
    const loaded = createRequire(import.meta.url)('cloudflare') as { readonly default: SdkClass };
    return loaded.default;
  } catch {
    return null;
  }
})();
const spec = suite('the fake DNS provider with the official client');
const test = unless(spec, sdk === null ? 'npm install --no-save cloudflare@7.3.0 brings the client' : null);

const provider = memoryProvider();
let served: Awaited<ReturnType<typeof serveProvider>>;
spec.before(async () => {
  served = await serveProvider(provider);
});
spec.after(() => served.stop());
const client = (apiToken = provider.token): Sdk => {
  if (sdk === null) throw new Error('there is no client');
  return new sdk({ apiToken, baseURL: served.url, maxRetries: 0 });
};
const allOf = async <A>(pages: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = [];
  for await (const one of pages) found.push(one);
  return found;
};

test('SEC-026 the client reads every page of the zones, and writes, changes and removes records', async () => {
  provider.zonesSeen = Array.from({ length: 120 }, (_, at) => ({ id: `z${at}`, name: `zone${at}.org` }));
  assert.is((await allOf(client().zones.list({ per_page: 50 }))).length, 120);
  const { records } = client().dns;
  const zone = { zone_id: 'z1' };
  const wanted = {
    type: 'A',
    name: 'core.zone1.org',
    content: '198.51.100.7',
    proxied: true,
    comment: 'core uid',
    ttl: 1,
  };
  const made = await records.create({ ...zone, ...wanted });
  assert.equal([made.name, made.content, made.proxied], [wanted.name, wanted.content, true]);
  const [found] = await allOf(records.list(zone));
  assert.equal([found?.id, found?.type, found?.comment], [made.id, 'A', 'core uid']);
  assert.is((await records.edit(made.id, { ...zone, ...wanted, content: '198.51.100.8' })).id, made.id);
  assert.is((await allOf(records.list(zone)))[0]?.content, '198.51.100.8');
  assert.is((await records.delete(made.id, zone)).id, made.id);
  assert.equal(await allOf(records.list(zone)), []);
});

test('SEC-026 the client creates a tunnel, finds it by name and sets its routes', async () => {
  const { cloudflared } = client().zeroTrust.tunnels;
  const account = { account_id: 'account-1' };
  const { id = '' } = await cloudflared.create({ ...account, name: 'core', config_src: 'cloudflare' });
  const found = await allOf(cloudflared.list({ ...account, name: 'core', is_deleted: false }));
  assert.equal(
    found.map((one) => [one.id, one.connections]),
    [[id, []]],
  );
  assert.is(await cloudflared.token.get(id, account), `token-of-${id}`);
  const ingress = [{ hostname: 'core.zone1.org', service: 'http://core' }, { service: 'http_status:404' }];
  await cloudflared.configurations.update(id, { ...account, config: { ingress } });
  assert.equal(provider.routesOf.get(id), ingress);
});

test('the client reads refusals and rate limits of the provider', async () => {
  const codeOf = async (asked: AsyncIterable<unknown>) => {
    const failed = await allOf(asked).catch((error: unknown) => error);
    return (failed as { readonly status?: number }).status;
  };
  assert.is(await codeOf(client('another').zones.list()), 403);
  provider.refuses = () => ({ is: 'limited', until: 0 });
  assert.is(await codeOf(client().zones.list()), 429);
});

spec.run();
