import type { Machine } from './fixtures/cluster.ts';

const started = new WeakMap<Machine, Promise<unknown>>();

/** The images of builds and databases, made beside what runs already: it takes some seconds each. */
export function otherImages(machine: Machine): Promise<unknown> {
  const images = started.get(machine) ?? pushAll(machine);
  started.set(machine, images);
  return images;
}

async function pushAll(machine: Machine): Promise<void> {
  await machine.push('git', 'alpine/git:v2.49.1');
  await machine.push('kaniko', 'osscontainertools/kaniko:v1.27.6');
  await machine.push('busybox', 'base:1', 'exec busybox httpd -f -p 8080 -h /www');
  await machine.pushPostgres('cloudnative-pg/postgresql:15');
}
