/** What stands in podman's words, and what helps. */
const remedies: readonly (readonly [says: RegExp, remedy: string])[] = [
  [
    /cgroups in hybrid mode not supported/,
    'install runc and set runtime = "runc" under [engine] in /etc/containers/containers.conf',
  ],
  [
    /setting rlimit.*operation not permitted|RLIMIT_(NOFILE|NPROC).*(not permitted|Operation)/s,
    'set default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"] under [containers] in /etc/containers/containers.conf',
  ],
  [/default OCI runtime .* not found/, 'install runc or crun'],
  [/catatonit|pause binary/, 'install catatonit'],
  [/iptables.*(No such file|not found)|netavark.*No such file or directory/s, 'install iptables'],
  [
    /netavark.*not found|could not find a working conmon|conmon.*(not found|invalid)|outdated conmon/s,
    'install netavark and conmon',
  ],
  [
    /plugin type="?bridge"?|failed to find plugin/,
    'install netavark and set network_backend = "netavark" under [network]',
  ],
];

/** The words of podman with what helps, where that is known. */
export function withRemedy(words: string): string {
  const remedy = remedies.find(([says]) => says.test(words))?.[1];
  return remedy === undefined ? words : `${words} (${remedy})`;
}
