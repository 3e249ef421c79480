import { type Bug, patched } from './bug.ts';

const folder = 'runtime/controllers/build';

const calls = [4, 5, 12, 13, 14];

/** The successor of a crashed process receives an old list, and the later changes arrive late. */
const restartsOnOldView = (path: string, of: string): readonly string[] =>
  [1, 2, 3].flatMap((changes) =>
    calls.map(
      (at) => `build / ${path} / lags of=${of} / dies at=${at} when=after / staleList at=2 of=${of} changes=${changes}`,
    ),
  );

/** Bugs in the observations, actions and ensures of the build controller. */
export const buildPatches: readonly Bug[] = [
  {
    name: 'Job that could not be read is gone',
    family: 'swallowed error',
    text: 'a Job whose read fails counts as absent',
    plant: patched(
      `${folder}/ask.ts`,
      'onSuccess: (job) => known(job), onFailure: couldNotRead }',
      "onSuccess: (job) => known(job), onFailure: () => known<JobSeen>({ is: 'absent' }) }",
    ),
    by: ['read refused, stale cache'],
    on: /^the log of both runs/,
  },
  {
    name: 'Job gone says the cache',
    family: 'stale view',
    text: 'that a claimed run has no Job is believed of the cache',
    plant: patched(
      `${folder}/observe.ts`,
      "if (!job) return claimed ? unasked : known({ is: 'absent' });",
      "if (!job) return claimed && status.phase === '?' ? unasked : known({ is: 'absent' });",
    ),
  },
  {
    name: 'Job of another run says the cache',
    family: 'stale view',
    text: 'that there is only a Job of another run is believed of the cache',
    unseen: 'a run is only claimed once the cache shows no other, and a restart hears of changes before its first pass',
    plans: restartsOnOldView('reset by hand, the Job is kept', 'jobs'),
    plant: patched(
      `${folder}/observe.ts`,
      'return claimed && job.metadata.annotations?.[annotation.run] !== status.startedAt ? unasked : known(readJob(job));',
      'return known(readJob(job));',
    ),
    on: /^built again while it runs|^reset by hand/,
  },
  {
    name: 'pods of any run',
    family: 'run not compared',
    text: 'the digest and the log are those of whichever pod there is',
    plant: patched(
      `${folder}/run.ts`,
      '.filter(({ metadata }) => metadata.annotations?.[annotation.run] === run)',
      '.filter(({ metadata }) => metadata.name !== run)',
    ),
    on: /^built again while it runs|^reset by hand/,
  },
  {
    name: 'pods could not be listed',
    family: 'swallowed error',
    text: 'pods that could not be listed count as absent',
    plant: patched(
      `${folder}/run.ts`,
      '      .list(pods, { labelSelector })\n',
      "      .list(pods, { labelSelector })\n      .pipe(Effect.catchTag('Away', () => Effect.succeed({ items: [], resourceVersion: '' })))\n",
    ),
  },
  {
    name: 'list of pods from before',
    family: 'stale view',
    text: 'a list that does not show the pod of a Job that has just ended proves that there is none',
    plant: patched(`${folder}/run.ts`, 'return sinceMs >= 0 && sinceMs < podsInViewWithinMs', 'return sinceMs < -1e12'),
    by: ['list from an old view'],
  },
  {
    name: 'any archived log will do',
    family: 'run not compared',
    text: 'the log of an earlier run in the store counts as that of this one',
    plant: patched(`${folder}/archive.ts`, 'archived?.metadata[runKey] === status?.startedAt;', 'archived !== null;'),
    on: /^the log of both|^the log is archived/,
  },
  {
    name: 'log kept under no run',
    family: 'run not compared',
    text: 'a stored log does not say which run it is of',
    plant: patched(
      `${folder}/archive.ts`,
      "const metadata = { [runKey]: build.status?.startedAt ?? '' };",
      "const metadata = { [runKey]: '' };",
    ),
    on: /^the log of both|^the log is archived/,
  },
  {
    name: 'store that fails has no log',
    family: 'swallowed error',
    text: 'a store that could not be asked says that the log will never come',
    plant: patched(
      `${folder}/ask.ts`,
      "Effect.catch(() => Effect.succeed(known<LogSeen>('waiting'))),",
      "Effect.catch(() => Effect.succeed(known<LogSeen>('archived'))),",
    ),
    on: /^the log is archived|^the object store/,
  },
  {
    name: 'upload believed without a look',
    family: 'lost answer',
    text: 'a log is taken for archived when its upload was refused',
    plant: patched(
      `${folder}/ensures.ts`,
      '    yield* archive(build, log, { over, reader });\n',
      '    yield* archive(build, log, { over, reader }).pipe(Effect.ignore);\n    if (log !== "") return holds;\n',
    ),
    on: /^the log is archived|^the object store/,
  },
  {
    name: 'Job deleted on a stale view',
    family: 'stale view',
    text: 'a Job that is not wanted by the build as it is cached is deleted without another look',
    plans: restartsOnOldView('a pinned commit is built', 'corebuilds'),
    plant: patched(
      `${folder}/ensures.ts`,
      'if (now === null || now.metadata.uid !== build.metadata.uid || !unwanted(job, now)) return holds;',
      'void now;',
    ),
    on: /^built again while it runs|^reset by hand|^cancelled by hand while it runs/,
  },
  {
    name: 'Job deleted by its name',
    family: 'missing precondition',
    text: 'a Job is deleted whichever it is by now',
    plant: patched(`${folder}/ensures.ts`, 'uid === undefined ? {} : { uid })', 'uid === undefined ? { uid } : {})'),
    on: /^built again while it runs|^reset by hand|^cancelled by hand while it runs/,
  },
  {
    name: 'Job without a run is ours',
    family: 'ownership',
    text: 'a Job that names no run is left where it is',
    plant: patched(
      'rules/build/ownRun.ts',
      'if (run === undefined || run !== build.status?.startedAt) return false;',
      'if (run !== undefined && run !== build.status?.startedAt) return false;',
    ),
    on: /survived/,
  },
  {
    name: 'late Job stays',
    family: 'un-fenced leader',
    text: 'a Job that was made after its run was over is left to run',
    plant: patched(
      'rules/build/ownRun.ts',
      "return end === null || !(msOf(metadata.creationTimestamp ?? '') > end);",
      'return true || end;',
    ),
    on: /^the Job is deleted by hand/,
    by: ['leader stands still, stand-by takes over'],
  },
  {
    name: 'any Job of this name is ours',
    family: 'effect twice',
    text: 'a Job that exists already is taken for the one that was to be created',
    plant: patched(
      `${folder}/controller.ts`,
      "return seenJob.is === 'present' && seenJob.run === run;",
      "return seenJob.is === 'present';",
    ),
    on: /^reset by hand, the Job is kept/,
    by: ['event late'],
  },
  {
    name: 'Job belongs to nobody',
    family: 'ownership',
    text: 'a Job is created without its owner',
    plant: patched('rules/build/job.ts', "uid: metadata.uid ?? '',", "uid: `${metadata.uid ?? ''}-`,"),
  },
  {
    name: 'Job says not whose run it is',
    family: 'ownership',
    text: 'a Job is created without the name of its run',
    plant: patched(
      'rules/build/job.ts',
      'annotations: runs,\n      ownerReferences',
      'annotations: {},\n      ownerReferences',
    ),
  },
  {
    name: 'Job that is there is an error',
    family: 'lost answer',
    text: 'a Job that exists already fails its creation, also when it is the one that was asked for',
    plant: patched(
      `${folder}/controller.ts`,
      '        Effect.filterOrFail(\n          (found) => {',
      '        Effect.filterOrFail(\n          (found) => {\n            if (found.kind !== "") return false;',
    ),
    on: /^a pinned commit/,
    by: ['answer lost'],
    unseen: 'the next pass finds that Job as its own',
  },
];
