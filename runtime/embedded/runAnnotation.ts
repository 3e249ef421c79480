const ending = '/simulated-run';

/** The annotation in which a pod keeps how a simulated node runs it, whichever prefix it was written with. */
export const runAnnotationOf = ({
  annotations = {},
}: {
  readonly annotations?: Readonly<Record<string, string>>;
}): string | undefined => Object.keys(annotations).find((name) => name.endsWith(ending));
