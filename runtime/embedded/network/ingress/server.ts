import type { SecureContext } from 'node:tls';
import type { Backends } from '../backends.ts';
import type { Current } from '../current.ts';
import type { View } from '../view.ts';
import { createCertificates } from './certificates.ts';
import { type Routes, routesOf, servedBy } from './routes.ts';
import { type Visit, type Way, hostOf, pathOf, startVisits } from './visits.ts';

export interface IngressOptions {
  readonly current: Current;
  readonly backends: Backends;
  readonly host: string;
  readonly port: number;
  /** Whether visitors are served under the certificates that the Ingresses name. */
  readonly isSecure: boolean;
}

/** Leads visitors to Services by what the Ingresses say; gives what ends it. */
export async function startIngress({ current, backends, host, port, isSecure }: IngressOptions): Promise<() => void> {
  const routesNow = remembered(routesOf);

  function wayOf({ request }: Visit): Way {
    const name = hostOf(request);
    const led = routesNow(current.view()).of(name, pathOf(request));
    if (!led) return { is: 'refused', status: 404, why: `No Ingress leads ${name}${pathOf(request)} anywhere.` };
    const now = () => {
      const served = servedBy(current.view(), led);
      return served ? backends.ofMachine(served.service, served.port, request.socket.remoteAddress ?? '') : [];
    };
    const found = now();
    if (found.length > 0) return { is: 'backends', backends: found, now };
    return { is: 'refused', status: 503, why: `No pod behind ${name}${pathOf(request)} is ready.` };
  }

  const certificates = createCertificates();

  /** A visitor of a host without a certificate that can be read is refused before a word of HTTP. */
  function certificateOf(name: string, give: (why: Error | null, context?: SecureContext) => void) {
    try {
      const context = certificates.of(current.view(), name.toLowerCase());
      if (context) give(null, context);
      else give(new Error(`no certificate is there for ${name}`));
    } catch (why) {
      give(why instanceof Error ? why : new Error(String(why)));
    }
  }

  const secure = { SNICallback: certificateOf };
  const { stop } = await startVisits({ host, port, wayOf, ...(isSecure && { secure }) });
  return stop;
}

/** Reckoned once for each view. */
function remembered(reckon: (view: View) => Routes): (view: View) => Routes {
  let last: { readonly view: View; readonly routes: Routes } | null = null;
  return (view) => {
    if (last?.view !== view) last = { view, routes: reckon(view) };
    return last.routes;
  };
}
