import type { CoreBuild } from '../../crds/coreBuild.ts';
import { currentBuild } from '../../rules/build/current.ts';
import { buildsOfApp } from '../../runtime/controllers/app/read.ts';
import { apps } from '../../runtime/services/cluster/kinds.ts';
import { redacted, type RedactedCopy } from '../../rules/redaction/redact.ts';
import { isPaused } from '../../runtime/step/standing.ts';
import type { CacheReader } from '../../runtime/cache/reader.ts';
import type { BuildRead, BuildSummary } from '../routes/builds/shapes.ts';
import { type CauseReading, worstCauseView } from './cause.ts';
import type { Placed } from './placed.ts';

/** The current build of a service, if it has one. */
export const currentBuildOf = (reader: CacheReader, app: string): CoreBuild | undefined =>
  currentBuild(reader.get(apps, app)?.status?.currentBuild, buildsOfApp(reader, app));

/** Omits what the status does not hold. */
const given = <K extends string>(name: K, value: string | null | undefined): { readonly [N in K]?: string } =>
  value === undefined || value === null || value === '' ? {} : ({ [name]: value } as { readonly [N in K]?: string });

/** How a build is shown: whether it is the current one of its service, and for whom. */
export interface BuildReading extends CauseReading {
  readonly current: boolean;
}

export const buildSummary = (
  placed: Pick<Placed, 'lifecycle'>,
  build: CoreBuild,
  reading: BuildReading,
): BuildSummary => summaryOf(placed, build, { ...reading, copy: redacted('CoreBuild', build, reading.view) });

/** The state is read from the whole object; the other fields come from the redacted copy. */
function summaryOf(
  { lifecycle }: Pick<Placed, 'lifecycle'>,
  build: CoreBuild,
  { copy: { status }, current, ...reading }: BuildReading & { readonly copy: RedactedCopy<CoreBuild> },
): BuildSummary {
  const { metadata, spec } = build;
  return {
    name: metadata.name,
    app: spec.app,
    project: spec.project,
    environment: spec.environment,
    state: lifecycle.read(build),
    shown: lifecycle.shown(build),
    current,
    createdAt: metadata.creationTimestamp ?? '',
    ...given('startedAt', status.startedAt),
    ...given('completedAt', status.completedAt),
    ...given('commit', status.sourceRevision),
    ...given('imageDigest', status.imageDigest),
    ...given('failureReason', status.failureReason),
    cause: worstCauseView('CoreBuild', build, reading),
  };
}

export const isCurrent = (reader: CacheReader, { metadata, spec }: CoreBuild): boolean =>
  currentBuildOf(reader, spec.app)?.metadata.name === metadata.name;

export function buildRead(placed: Pick<Placed, 'lifecycle'>, build: CoreBuild, reading: BuildReading): BuildRead {
  const copy = redacted('CoreBuild', build, reading.view);
  const { metadata, spec, status } = copy;
  return {
    ...summaryOf(placed, build, { ...reading, copy }),
    repository: spec.repository ?? '',
    branch: spec.branch ?? '',
    uid: metadata.uid ?? '',
    image: status.image ?? spec.registry ?? '',
    jobRef: status.jobRef ?? '',
    logRef: status.logRef ?? '',
    ciState: status.ciState ?? '',
    ciChecks: status.ciChecks ?? [],
    retryCount: status.retryCount ?? 0,
    cancelRequested: status.cancelRequested ?? false,
    lastLogLine: status.lastLogLine ?? '',
    paused: isPaused(build),
    spec,
    status,
  };
}
