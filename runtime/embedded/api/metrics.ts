import { version } from './discovery.ts';
import type { Registry } from './kinds/registry.ts';
import type { ApiStore } from './store/store.ts';

interface Measured {
  readonly store: ApiStore;
  readonly registry: Registry;
}

/** What is measured of the API, in the text format of Prometheus. */
export function metrics({ store, registry }: Measured): string {
  const { user, system } = process.cpuUsage();
  const counted = registry.all().filter(({ verbs }) => verbs === undefined || verbs.includes('watch'));
  const buckets = new Map(counted.map((type) => [type.bucket, type]));
  const objects = [...buckets].map(([bucket, { group, plural }]): Sample => {
    const resource = `group=${JSON.stringify(group)},resource=${JSON.stringify(plural)}`;
    return [`{${resource}}`, store.list(bucket).length];
  });
  const { major, minor, gitVersion, goVersion, platform } = version;
  const build = Object.entries({ major, minor, git_version: gitVersion, go_version: goVersion, platform });
  const labels = build.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(',');
  return [
    family('apiserver_resource_objects', 'gauge', 'Number of stored objects of a resource.', objects),
    family('kubernetes_build_info', 'gauge', 'Version of this server, as labels of a constant 1.', [
      [`{${labels}}`, 1],
    ]),
    single('process_cpu_seconds_total', 'counter', 'CPU time spent so far, in seconds.', (user + system) / 1e6),
    single('process_resident_memory_bytes', 'gauge', 'Resident memory in bytes.', process.memoryUsage.rss()),
    single('process_start_time_seconds', 'gauge', 'Start of the process, in Unix time.', startedAt),
  ].join('');
}

const startedAt = Math.round(Date.now() / 1000 - process.uptime());

type Sample = readonly [labels: string, value: number];

const single = (name: string, type: string, help: string, value: number) => family(name, type, help, [['', value]]);

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}
