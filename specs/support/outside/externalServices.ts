import { haveAddresses } from '../../podman/ownNetwork.ts';
import { memoryProvider } from '../memoryProvider.ts';
import { serveProvider } from '../providerServer.ts';
import { makeRepository } from '../repository.ts';
import { startReceiver, status } from './receiver.ts';

/** A receiver of webhooks that fails, and a DNS provider, in a network of the spec's own. */
export async function startExternalServices() {
  haveAddresses('44.1.0.8');
  const provider = memoryProvider();
  const receiver = await startReceiver('44.1.0.8', status(503));
  const served = await serveProvider(provider);
  return {
    receiver,
    token: provider.token,
    env: { CORE_DNS_API_URL: served.url },
    stop: () => {
      receiver.stop();
      served.stop();
    },
  };
}

/** Pushes demo/hello and a branch of it, which can be asked to be taken up. */
export function pushTwice(gitHost: string) {
  const repository = makeRepository();
  const url = `${gitHost}/demo/hello.git`;
  repository.commit({ Buildfile: 'FROM scratch\n' });
  repository.push(url);
  repository.commit({ 'b.txt': 'a change' });
  repository.push(url, 'feature');
  repository.clean();
  const body = JSON.stringify({ title: 'Two', head: 'feature', base: 'main' });
  const headers = { 'content-type': 'application/json' };
  return { openPull: () => fetch(`${gitHost}/api/repos/demo/hello/pulls`, { method: 'POST', headers, body }) };
}
