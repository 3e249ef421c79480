import { join } from 'node:path';
import { noKubectl } from '../support/kubectl.ts';
import { until } from '../support/until.ts';
import { makeCheckout, type Checkout } from './checkout.ts';
import { anyPorts, type Installation, installed } from './installation.ts';
import { openShell, type Shell } from './shell.ts';

/** Somebody who has Core checked out and types what is written. */
export interface Newcomer {
  /** Why none of it can be typed on this machine; null when it can. */
  readonly whyNot: string | null;
  /** Checks Core out and opens a shell there, in which an installation of their own may run already. */
  readonly begin: () => Promise<void>;
  /** Types commands, with what is theirs put in; resolves with what was printed. Rejects where one does not exit 0. */
  readonly follow: (commands: string) => Promise<string>;
  /** Starts a command that goes on; what it has printed. */
  readonly start: (command: string) => Promise<() => string>;
  readonly put: (text: string) => string;
  /** Ends what was started, and removes the checkout. */
  readonly end: () => Promise<void>;
}

const starting = 'npm start';

export function newcomer({ isStarted }: { readonly isStarted: boolean }): Newcomer {
  let checkout: Checkout | undefined;
  let shell: Shell | undefined;
  let installation: Installation | undefined;
  let logged = () => '';
  const opened = (): Shell => {
    if (!shell) throw new Error('nothing is checked out');
    return shell;
  };
  const put = (text: string) => installation?.put(text) ?? text;
  const start = async (command: string) => {
    const printed = await opened().start(put(command));
    if (command === starting && checkout) {
      logged = printed;
      installation = await installed(checkout, printed);
    }
    return printed;
  };
  return {
    whyNot: noKubectl(),
    begin: async () => {
      checkout = makeCheckout();
      shell = openShell(checkout.folder, environmentOf(checkout.home));
      if (!isStarted) return;
      await start(starting);
      await shell.run('export KUBECONFIG=.core/kubeconfig');
    },
    follow: async (commands) => {
      const approved = /^core login/m.test(commands) ? approve(opened(), installation) : undefined;
      const printed = opened().run(put(commands));
      await Promise.all([printed, approved]).catch((error: unknown) => {
        throw new Error(`${String(error)}\nCore logged:\n${logged().slice(-3_000)}`);
      });
      return printed;
    },
    start,
    put,
    end: async () => {
      await shell?.end();
      checkout?.remove();
    },
  };
}

/** What is installed for everybody by `npm link` goes to their home; no package is fetched for that. */
const environmentOf = (home: string): Readonly<Record<string, string>> => ({
  PATH: `${join(home, '.npm/bin')}:${process.env['PATH'] ?? ''}`,
  HOME: home,
  npm_config_prefix: join(home, '.npm'),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  // Programs of the specs start from the bundles of this run.
  ...(process.env['CORE_SPEC_BUNDLES'] !== undefined && { CORE_SPEC_BUNDLES: process.env['CORE_SPEC_BUNDLES'] }),
  ...anyPorts,
});

/** Whoever is shown a code goes to the dashboard with it. */
async function approve(shell: Shell, installation: Installation | undefined): Promise<void> {
  const code = await until(() => /\?code=(\S+)/.exec(shell.printed())?.[1], 'a code is shown');
  await installation?.approve(code);
}
