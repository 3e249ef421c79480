import { readdirSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { join } from 'node:path';
import { takenUpWithinMs } from '../../../http/auth/signIn.ts';
import { maxBodyBytes } from '../../../http/request/bodyLimits.ts';
import { schemasOf } from '../../../http/route.ts';
import { allRoutes } from '../../../http/routes/list.ts';
import { drainMs } from '../../../http/program/draining.ts';
import { maxUncaught } from '../../../http/program/lastResort.ts';
import { defaults } from '../../../http/program/settings.ts';
import { lateAfterMs } from '../../../http/program/readiness.ts';
import { maxEventBytes } from '../../../http/routes/webhook.ts';
import { timeLimits } from '../../../http/request/timeouts.ts';
import { cloudMetadata } from '../../../rules/project/policies.ts';
import { portOf } from '../../../rules/service/effective.ts';
import { largestBody } from '../../../runtime/embedded/api/body.ts';
import { longestName } from '../../../runtime/embedded/api/patch/jsonPatch.ts';
import { limitsOfKubernetes } from '../../../runtime/embedded/api/inFlight.ts';
import { mostStreams } from '../../../runtime/embedded/api/server.ts';
import { nodePorts, serviceRange } from '../../../runtime/embedded/api/services/ranges.ts';
import { deepest, mostValues } from '../../../runtime/embedded/api/shape.ts';
import { mostFaults } from '../../../runtime/embedded/api/status.ts';
import { deepest as deepestYaml } from '../../../runtime/embedded/api/yaml/document.ts';
import { usualYamlLimits } from '../../../runtime/embedded/api/yaml/reader.ts';
import { ownerOnly } from '../../../runtime/embedded/dataDir/folder.ts';
import { longestHoldMs } from '../../../runtime/embedded/network/waking/proxy.ts';
import { mostProcesses } from '../../../runtime/embedded/nodes/podman/containerSpec.ts';
import { absent } from '../../../runtime/embedded/nodes/podman/service.ts';
import { keptMs, readEveryMs } from '../../../runtime/embedded/nodes/usage/usageRing.ts';
import { mostUnsent } from '../../../runtime/embedded/openResponses.ts';
import { ownerOnlyFile } from '../../../runtime/embedded/privateFile.ts';
import { connectionLimits } from '../../../runtime/services/connections.ts';
import { othersWaitMs } from '../../fuzz/effects.ts';
import { root } from '../../support/product.ts';
import { readTranscript } from '../../runtime/embedded/kubectl/transcript.ts';
import type { Figure } from './compare.ts';
import { kubectl, kubernetes, takeover } from './product.ts';
import { day, kibibyte, mebibyte, minute, second } from './units.ts';
import { countIn, numberWritten, textOf } from './written.ts';

const conformance = 'specs/runtime/embedded/conformance';
const transcripts = 'specs/runtime/embedded/kubectl/transcripts';
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
const linesIn = (path: string): number => countIn(path, /\n/g);
const commandsIn = (path: string): number => readTranscript(textOf(path)).filter(({ is }) => is === 'command').length;

/** The defaults that are numbers, each behind the last name of its row. */
const numbers: readonly Figure[] = Object.entries(defaults)
  .filter(([, value]) => /^\d+$/.test(value))
  .map(([name, value]) => {
    const shown = name === 'port' ? '--port' : `CORE_${name.toUpperCase().replaceAll('-', '_')}`;
    return [`\`${shown}\` | {} |`, Number(value)];
  });

export const running: readonly Figure[] = [
  ...numbers,
  ['A port of {} is any free one', { because: 'the operating system has it so' }],
  ['podman {} or newer', /podman (\d+\.\d+) or newer/.exec(absent)?.[1] ?? ''],
  ['On Debian {}:', { because: 'it is the release whose packages the line names' }],
  ['listen on port {} unless the service names another', portOf({})],
  ['the credentials of a cloud ({}) answer none', cloudMetadata],
  ['is read every {} seconds and kept for {} day', readEveryMs / second, keptMs / day],
  ['holds the request for up to {} minute', longestHoldMs / minute],
  ['Policies between {} pods', { because: 'a policy is between two' }],
  ['A part may be smaller than {} MiB', { because: 'a real store has it so' }],
  ['A container may run {} processes', mostProcesses],
  ['addresses of {} and node ports {}–{}', serviceRange, nodePorts.first, nodePorts.last],
  ['a real control plane (Kubernetes {})', kubernetes],
  ['{} recorded kubectl commands', sum(filesIn(transcripts).map(commandsIn))],
  ['{} API answers', sum(filesIn(`${conformance}/wire/expected`).map(linesIn))],
  ['{} CEL verdicts', linesIn(`${conformance}/rules/answers.ndjson`)],
  ['nothing was heard for {} s', lateAfterMs / second],
  ['serves on for {} seconds', drainMs / second],
  ["{} things are in the leader's memory alone", { because: 'the sentence names both' }],
];

const yamlSeconds = usualYamlLimits.deadlineMs / second;
const realDepth = { because: 'Kubernetes has it so' };
const patch = 'runtime/embedded/api/patch/patch.ts';

export const embedded: readonly Figure[] = [
  ['a real control plane of version {}', kubernetes],
  ['all {} kinds of patch', countIn(patch, /if \(mediaType === \w+Type\b/g)],
  ['(kubectl before {})', kubectl],
  ['JSON nested deeper than {} levels (a real server: {})', deepest, realDepth],
  ['YAML that is no JSON, nested deeper than {} levels (a real server: {})', deepestYaml, realDepth],
  ['an object of more than {} values', mostValues],
  ['YAML that takes longer than {} s to read', yamlSeconds],
  ['YAML that nests deeper than {} levels or takes longer than {} s to write', deepestYaml, yamlSeconds],
  // One is read, the others wait.
  ['of a caller of whom {} texts are read or written already', usualYamlLimits.mostWaiting + 1],
  ['more than {} reads', limitsOfKubernetes.reads],
  ['reads or {} writes at a time', limitsOfKubernetes.writes],
  ['more than {} watches and followed logs', mostStreams],
  ['has not taken beyond {} MiB', mostUnsent / mebibyte],
  ['a name of more than {} KiB in a path', longestName / kibibyte],
  ['beyond {} fields | the first {}, and how many more', mostFaults, mostFaults],
  ['A pattern that gives {} groups the same name', { because: 'a name is the same as another' }],
];

const bodies = Object.values(schemasOf(allRoutes)).map(({ body }) => body?.maxBytes ?? maxBodyBytes);

/** Dependencies that bring a build for each platform: in packages of their own, or in a folder. */
const { packages } = JSON.parse(textOf('package-lock.json')) as {
  packages: Record<string, { dependencies?: object; optionalDependencies?: object; os?: unknown }>;
};
const isPrebuilt = (name: string): boolean =>
  Object.keys(packages[`node_modules/${name}`]?.optionalDependencies ?? {}).some(
    (one) => packages[`node_modules/${one}`]?.os !== undefined,
  ) || readdirSync(join(root, 'node_modules', name)).includes('prebuilds');
const native = Object.keys(packages['']?.dependencies ?? {}).filter(isPrebuilt);

const octal = (mode: number): string => `0${mode.toString(8)}`;

export const security: readonly Figure[] = [
  ['You get an answer within {} week', { because: 'people promise it' }],
  ['{} MiB, {} levels (YAML: {}), {} values', largestBody / mebibyte, deepest, deepestYaml, mostValues],
  [
    '{} s for headers, {} s for a request, {} KiB of headers, {} KiB of body (up to {} MiB where a variable, code or a query is sent, {} MiB of a Git host event)',
    timeLimits().headersTimeout / second,
    timeLimits().requestTimeout / second,
    maxHeaderSize / kibibyte,
    maxBodyBytes / kibibyte,
    Math.max(...bodies) / mebibyte,
    maxEventBytes / mebibyte,
  ],
  ['{} s for a TLS handshake and for the headers', connectionLimits.handshakeTimeout / second],
  ['{} others within {} minute end the process', maxUncaught.errors, maxUncaught.withinMs / minute],
  ['rights of its owner only ({}, files {})', octal(ownerOnly), octal(ownerOnlyFile)],
  ['waits up to {} seconds for the leader', takenUpWithinMs / second],
  ['for at most {} times `CORE_LEASE_SECONDS`', takeover],
  ['{} contain native code', native.length],
  ['(Alpine, {} bit)', { because: 'it is the name of a kind of processor' }],
  [
    'breaks each in one or {} ways',
    numberWritten('specs/fuzz/fuzz.ts', /anyChange, \{ minLength: 1, maxLength: (\d+) \}/),
  ],
  ['keep another caller waiting for {} ms', othersWaitMs],
  ['with {} replicas, and checks', { because: 'one replica and another' }],
];
