const ending = '/simulated-run';

/** The annotation in which a pod keeps how a simulated node runs it, whichever prefix it was written with. */
export const runAnnotationOf = ({
  annotations = {},
}: {
  readonly annotations?: Readonly<Record<string, string>>;
}): string | undefined => Object.keys(annotations).find((name) => name.endsWith(ending));

const realEnding = '/podman-run';

/** Whether a node of ours runs a pod, whichever way it does. */
export const isRunHere = (metadata: { readonly annotations?: Readonly<Record<string, string>> }): boolean =>
  runAnnotationOf(metadata) !== undefined ||
  Object.keys(metadata.annotations ?? {}).some((name) => name.endsWith(realEnding));
