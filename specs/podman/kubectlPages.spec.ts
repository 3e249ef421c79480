import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { difference } from '../runtime/embedded/kubectl/expected.ts';
import { pages } from '../runtime/embedded/kubectl/pages.ts';
import { came, play } from '../runtime/embedded/kubectl/play.ts';
import { openShell } from '../runtime/embedded/kubectl/shell.ts';
import { noKubectl } from '../support/kubectl.ts';
import { startProduct, type Product } from '../support/product.ts';
import { isWhole } from '../support/share.ts';
import { suite } from '../support/suite.ts';
import { unless } from '../support/unless.ts';
import { enterOwnNetwork } from './ownNetwork.ts';
import { lacksPodman, ownPodman, type OwnPodman } from './ownPodman.ts';

const only = isWhole ? null : 'the pages are played on podman by `npm run whole`';
const lacking = only ?? lacksPodman() ?? noKubectl() ?? enterOwnNetwork();
const spec = suite('kubectl pages on a podman node');
const real = unless(spec, lacking);
let own: OwnPodman;
let cluster: Product;

/** What the images of the pages do; the pages know them from the simulated nodes. */
const serves = 'trap "exit 0" TERM; echo begun; while :; do sleep 0.1; done';
const images: Readonly<Record<string, string>> = {
  'docker.io/library/busybox:1': 'true',
  'registry.local/talker:1': serves,
  'registry.local/talker:2': serves,
  'registry.local/side:1': serves,
  'registry.local/distroless:1': serves,
  'registry.local/web:1': serves,
  'registry.local/web:2': serves,
  'registry.local/x:1': serves,
  'registry.local/task:1': 'for one in 1 2 3; do echo line $one; sleep 0.1; done',
};

async function importImages(): Promise<void> {
  const root = join(own.folder, 'pages');
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync('/bin/busybox', join(root, 'bin/busybox'));
  const applets = execFileSync('/bin/busybox', ['--list'], { encoding: 'utf8' }).trim().split('\n');
  for (const applet of applets) if (applet !== 'busybox') symlinkSync('busybox', join(root, 'bin', applet));
  // Debian's busybox is built without it.
  const printenv = '#!/bin/sh\nfor name; do eval echo "\\$$name"; done\n';
  writeFileSync(join(root, 'bin/printenv'), printenv, { mode: 0o755 });
  const archive = execFileSync('tar', ['-C', root, '-c', '.'], { maxBuffer: 1 << 30 });
  for (const [reference, script] of Object.entries(images)) {
    const query = { reference, changes: `CMD ${JSON.stringify(['sh', '-c', script])}` };
    await own.podman.call({ method: 'POST', path: '/images/import', query, body: archive });
  }
}

spec.before(async () => {
  if (lacking !== null) return;
  own = await ownPodman('shared');
  await importImages();
  const env = { CORE_ROLE: 'cluster', CORE_NODES: 'podman', CORE_PODMAN_SOCKET: own.socket };
  cluster = await startProduct({ env });
});
spec.after(async () => {
  if (lacking !== null) return;
  await cluster.end('SIGTERM');
  await own.end();
  cluster.clean();
});

/** Where each page is left: from here on it is about other nodes. */
const leftAt: Readonly<Record<string, RegExp>> = {
  // A container is added to a pod that runs, which is refused here; then pods move between three nodes.
  pods: /^kubectl run base /,
  // Jobs whose commands no image has: a simulated node ends them as it is told.
  workloads: /^kubectl create job once /,
};

for (const [name, end] of Object.entries(leftAt))
  real(`the page ${name} is printed as on simulated nodes`, async () => {
    const steps = pages.find((one) => one.name === name)?.steps ?? [];
    const last = steps.findIndex((step) => step.is === 'command' && end.test(step.command));
    assert.ok(last > 0, 'the page has changed');
    const shell = await openShell(cluster.endpoints.kubeconfig ?? '', name);
    await shell.run(`kubectl create namespace ${name}`);
    for (const step of steps.slice(0, last)) {
      if (step.is === 'file') shell.write(step.name, step.text);
      else {
        const printed = await play(shell, step);
        const differs = () => `${name}.md:${step.line} ${step.command}\n${difference(step.expected, printed.lines)}`;
        assert.ok(came(step, printed), differs());
      }
    }
    await shell.run(`kubectl delete namespace ${name} --timeout=60s`);
    shell.clean();
  });

spec.run();
