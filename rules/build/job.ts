import type { Job } from '../../crds/builtIn.ts';
import type { CoreBuild } from '../../crds/coreBuild.ts';
import { coreBuild, type BuildSpec } from '../../crds/coreBuild.ts';
import { typeMeta } from '../../crds/kind.ts';
import { annotation, systemNamespace } from '../../crds/names.ts';
import { type Placement, podAnnotations, podPlacement } from '../placement.ts';
import { buildLabels, jobName } from './build.ts';
import { gitScript } from './gitScript.ts';
import { repositoryName } from './repository.ts';
import { sourcePath } from './sourcePath.ts';

/** Installation settings that a builder Job needs. */
export interface BuilderSettings {
  readonly builderImage: string;
  readonly gitImage: string;
  /** Base of the clone addresses: `<gitUrl>/<owner>/<name>.git`. */
  readonly gitUrl: string;
  /** Whether that Git host is the embedded one of a trial, which knows no repository before its first push. */
  readonly isGitEmbedded?: boolean;
}

const workspace = '/workspace';

/** A container that fails without a message reports the end of its log, which shows the cause. */
const lastWords = 'FallbackToLogsOnError';

/** The Job of one run of a build: `git` clones, then `builder` builds and pushes (000 Build execution rules). */
export function builderJob(build: CoreBuild, run: string, placement: Placement, settings: BuilderSettings): Job {
  const { spec, metadata } = build;
  const runs = { [annotation.run]: run };
  const labels = buildLabels(spec);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(metadata.name),
      namespace: systemNamespace,
      labels,
      annotations: runs,
      ownerReferences: [
        {
          ...typeMeta(coreBuild),
          name: metadata.name,
          uid: metadata.uid ?? '',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      backoffLimit: 2,
      ttlSecondsAfterFinished: 3600,
      template: {
        metadata: { labels, annotations: { ...runs, ...podAnnotations(placement.tags) } },
        spec: {
          restartPolicy: 'Never',
          ...podPlacement(placement),
          initContainers: [gitContainer(build, settings)],
          containers: [builderContainer(spec, settings)],
          volumes: [
            { name: 'workspace', emptyDir: {} },
            ...(spec.credentialRef
              ? [
                  {
                    name: 'registry',
                    secret: {
                      secretName: spec.credentialRef.name,
                      items: [{ key: '.registryconfigjson', path: 'config.json' }],
                    },
                  },
                ]
              : []),
          ],
        },
      },
    },
  };
}

function gitContainer({ spec, status }: CoreBuild, { gitImage, gitUrl }: BuilderSettings) {
  const repository = repositoryName(spec.repository ?? '', gitUrl) ?? spec.repository ?? '';
  const token = spec.gitCredentialRef && {
    name: 'GIT_TOKEN',
    valueFrom: { secretKeyRef: { name: spec.gitCredentialRef.name, key: 'token' } },
  };
  return {
    name: 'git',
    image: gitImage,
    command: ['sh', '-c', gitScript],
    terminationMessagePolicy: lastWords,
    env: [
      { name: 'REPOSITORY_URL', value: `${gitUrl.replace(/\/+$/, '')}/${repository}.git` },
      { name: 'BRANCH', value: spec.branch ?? '' },
      { name: 'COMMIT', value: status?.sourceRevision ?? '' },
      { name: 'WORKSPACE', value: workspace },
      ...(token ? [token] : []),
    ],
    volumeMounts: [{ name: 'workspace', mountPath: workspace }],
  };
}

/** The builder image follows the contract of kaniko (decision 142). */
function builderContainer(spec: BuildSpec, { builderImage }: BuilderSettings) {
  const path = sourcePath(spec.context ?? '', spec.buildfile ?? '');
  const directory = path.is === 'inside' && path.context !== '' ? `${workspace}/${path.context}` : workspace;
  const recipe = path.is === 'inside' ? path.buildfile : '';
  return {
    name: 'builder',
    image: builderImage,
    workingDir: directory,
    terminationMessagePolicy: lastWords,
    args: [
      `--context=dir://${directory}`,
      `--dockerfile=${workspace}/${recipe}`,
      `--destination=${spec.registry ?? ''}`,
      '--digest-file=/dev/termination-log',
      ...(spec.cache ? ['--cache=true'] : []),
    ],
    volumeMounts: [
      { name: 'workspace', mountPath: workspace },
      ...(spec.credentialRef ? [{ name: 'registry', mountPath: '/kaniko/.docker', readOnly: true }] : []),
    ],
  };
}
