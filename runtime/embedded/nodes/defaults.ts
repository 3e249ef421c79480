import type { Names } from '../surroundings.ts';

/** What the ConfigMap `simulated-nodes` holds at first. */
export const defaultNodes = ({
  prefix,
}: Pick<Names, 'prefix'>): Readonly<Record<'nodes' | 'pods' | 'backoffSeconds', string>> => ({
  nodes: `# The simulated nodes. An entry becomes a Node labelled ${prefix}/simulated=true; a Node goes when
# its entry goes.
#   name      name of the Node
#   region    label ${prefix}/region
#   tags      each becomes the label ${prefix}/tag-<tag>=true
#   reserved  a tag: only pods that tolerate ${prefix}/reserved=<tag> are placed here; the Node
#             carries that tag too
#   cpu, memory, pods   what the Node offers: 16, 64Gi and 110 when left out
- name: local-1
  region: local
  tags: []
- name: local-2
  region: local
  tags: []
- name: local-3
  region: local
  tags: []
`,
  pods: `# How containers run: a list of rules, the first that matches a container is taken. A pod remembers its
# rules from the moment it is placed; a change here concerns later pods only.
#   match                which containers; all that is given must match
#     labels             labels of the pod
#     name               name of the pod, with * and ?
#     image              image of the container, with * and ?
#     container          name of the container; an init container is only matched by container or image
#   afterSeconds         how long the container runs: 1 when left out
#   exitCode             0 when left out
#   terminationMessage   what the container leaves behind
#   log                  its lines appear evenly while the container runs
#   fails                so many first runs of the same Job fail with exit code 1, later ones succeed
#   hang                 true: the container runs for ever, its log goes on by one line a second
#   ready                false: the container runs, but never becomes ready
#   readyAfterSeconds    so long after its start the container becomes ready: 0 when left out
#   waiting              the container never starts; this is why: ImagePullBackOff, ErrImagePull, InvalidImageName,
#                        CreateContainerConfigError or CreateContainerError
# In log and terminationMessage stand {{time}} for the time of the line, {{pod}} for the name of the pod,
# {{image}} for the image that the container builds (its argument --destination=), else the one it
# runs, and {{digest}} for a digest that no other container has.
#
# A container that no rule matches and whose command the simulated shell knows (\`sh -c ...\` of echo, sleep, test, cat,
# env and the like, or one of these by itself; \`help\` in a shell tells them all) is run by it: what it prints is the
# log, its exit code the end. One word that the shell does not know, and the container runs as below; so does
# \`builder\`. Of the output the newest 64 KiB stand while the container runs, 16 KiB after it. A command that runs
# while the server is stopped begins anew.
#
# What a rule leaves out is as without a rule: \`builder\` succeeds after a second with a build log and
# the digest as its termination message, other containers of Jobs and init containers succeed after a
# second, all others run for ever unless afterSeconds, exitCode or fails is given.
#
# A rollout that fails: \`- match: { image: "*:broken" }\` with \`waiting: ImagePullBackOff\`, \`ready: false\`, or
# with \`exitCode: 1\`, which ends in CrashLoopBackOff.
#
# - match: { container: builder, labels: { ${prefix}/name: hello } }
#   afterSeconds: 20
#   fails: 1
`,
  backoffSeconds: `# The wait before a failed pod or container is tried again: doubled with each failure, at most 60
# times as long. Kubernetes takes 10.
1
`,
});
