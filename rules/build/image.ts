const digestPattern = /^sha256:[0-9a-f]{64}$/;

/** The digest in a termination message, or null when it holds none. */
export const digestOf = (message: string): string | null => {
  const text = message.trim();
  return digestPattern.test(text) ? text : null;
};

/** How far a log was read for the digest it names: what the last line of this repository said, and the text after. */
export interface DigestScan {
  readonly found: string | null;
  readonly rest: string;
}

/** As if a line had ended before the log began. */
export const unread: DigestScan = { found: null, rest: '\n' };

/** Longer than `Pushed <repository>@sha256:<digest>` can be, for an image reference ends at 512 characters. */
const windowLength = 1024;

/** Reads on in a log, of which only a window is kept: the line may stand anywhere in it. */
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

/** An image reference without its tag and digest; the colon of a registry's port is no tag. */
export function repositoryOf(image: string): string {
  const name = image.split('@', 1)[0] ?? '';
  const colon = name.lastIndexOf(':');
  return colon > name.lastIndexOf('/') ? name.slice(0, colon) : name;
}

/** What a service runs: `<repository of status.image>@<digest>`. */
export const imageByDigest = (image: string, digest: string) => `${repositoryOf(image)}@${digest}`;
