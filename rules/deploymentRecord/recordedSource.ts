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
