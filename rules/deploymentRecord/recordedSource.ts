import type { AppSpec } from '../../crds/coreApp.ts';
import { sourceOf } from '../service/effective.ts';

/** The source of a service at the moment of its record. */
export interface RecordedSource {
  readonly source: 'image' | 'git' | 'function';
  readonly image: string;
  readonly repository: string;
  readonly branch: string;
  /** `<repository of the image>@sha256:…` of the newest build, empty when there is none. */
  readonly built: string;
  readonly runtime: string;
}

/** What a service is deployed from; the image that it resolves to counts as built when it names a digest. */
export function recordedSourceOf(spec: AppSpec, resolvedImage: string): RecordedSource {
  const { image = '', git, function: serverless } = spec.source;
  return {
    source: sourceOf(spec),
    image,
    repository: git?.repository ?? '',
    branch: git?.branch || 'HEAD',
    built: resolvedImage.includes('@') ? resolvedImage : '',
    runtime: serverless?.runtime ?? '',
  };
}
