const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** The digest in a termination message, or null when it holds none. */
export const digestOf = (message: string): string | null => {
  const text = message.trim();
  return digestPattern.test(text) ? text : null;
};

/** The state of a log scan for the digest: the last match for this repository, and the text after it. */
export interface DigestScan {
  readonly found: string | null;
  readonly rest: string;
}

/** Starts with a line break, so that the first line of the log begins like any other. */
export const unread: DigestScan = { found: null, rest: '\n' };

/** Longer than `Pushed <repository>@sha256:<digest>` can be, because an image reference has at most 512 characters. */
const windowLength = 1024;

/** Scans the next piece of a log in a bounded window, because the line may occur anywhere in it. */
export function scannedOn({ found, rest }: DigestScan, piece: string, image: string): DigestScan {
  const text = rest + piece;
  const wanted = repositoryOf(image);
  const last = [...text.matchAll(/(?<=\W)Pushed (\S{1,512})@(sha256:[0-9a-f]{64})(?=\W)/g)]
    .filter(([, repository]) => repository !== undefined && repositoryOf(repository) === wanted)
    .at(-1);
  return { found: last?.[2] ?? found, rest: text.slice(-windowLength) };
}

/** The digest of the last log line `Pushed <repository>@sha256:<digest>`, or null (000 CoreBuild, Status). */
export const pushedDigest = (scan: DigestScan, image: string): string | null => scannedOn(scan, '\n', image).found;

/** An image reference without its tag and digest; the colon before a registry's port does not start a tag. */
export function repositoryOf(image: string): string {
  const name = image.split('@', 1)[0] ?? '';
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}

/** The image that a service runs: `<repository of status.image>@<digest>`. */
export const imageByDigest = (image: string, digest: string) => `${repositoryOf(image)}@${digest}`;
