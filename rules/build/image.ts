const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** The digest in a termination message, or null when it holds none. */
export const digestOf = (message: string): string | null => {
  const text = message.trim();
  return digestPattern.test(text) ? text : null;
};

/** The digest of the last log line `Pushed <repository>@sha256:<digest>`, or null (000 CoreBuild, Status). */
export function pushedDigest(log: string, image: string): string | null {
  const wanted = repositoryOf(image);
  const found = [...log.matchAll(/^.*\bPushed (\S+)@(sha256:[0-9a-f]{64})\b.*$/gm)]
    .filter(([, repository]) => repository !== undefined && repositoryOf(repository) === wanted)
    .at(-1);
  return found?.[2] ?? null;
}

/** An image reference without its tag and digest; the colon of a registry's port is no tag. */
export function repositoryOf(image: string): string {
  const name = image.split('@', 1)[0] ?? '';
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}

/** What a service runs: `<repository of status.image>@<digest>`. */
export const imageByDigest = (image: string, digest: string) => `${repositoryOf(image)}@${digest}`;
