import { shape } from './kind.ts';
import { sourceLimits } from './sourceLimits.ts';

/** What a branch name must not contain, by the rules of Git, and the full ref, with which a push is not compared. */
const impossible = String.raw`^refs/heads/|[\x00-\x20\x7f~^:?*[\\]|[.][.]|@[{]|(^|/)[.]|[.]lock(/|$)|[./]$|^/|//|^-`;

/** The name of a branch; empty for the default one. */
export const branchName = (description: string) =>
  shape.text(description, {
    ...sourceLimits.branch,
    'x-kubernetes-validations': [
      {
        rule: `!self.matches('${impossible.replaceAll('\\', '\\\\')}')`,
        message: 'must be the name of a branch such as main, without refs/heads/',
      },
    ],
  });
