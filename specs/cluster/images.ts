import type { Machine } from './fixtures/cluster.ts';

/** Makes images once a cluster, beside what runs already: it takes some seconds each. */
function onceFor(make: (machine: Machine) => Promise<unknown>): (machine: Machine) => Promise<unknown> {
  const started = new WeakMap<Machine, Promise<unknown>>();
  return (machine) => {
    const images = started.get(machine) ?? make(machine);
    started.set(machine, images);
    return images;
  };
}

export const upgradedImage = 'library/core-platform:0.1.1';

/** The same program under another tag. */
export const upgradedCore = onceFor(({ push }) => push('core', upgradedImage));

/** The images of builds and databases. */
export const otherImages = onceFor(async ({ push, pushPostgres }) => {
  await push('git', 'alpine/git:v2.49.1');
  await push('kaniko', 'osscontainertools/kaniko:v1.27.6');
  await push('busybox', 'base:1', 'exec busybox httpd -f -p 8080 -h /www');
  await pushPostgres('cloudnative-pg/postgresql:15');
});
