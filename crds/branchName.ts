import { shape } from './kind.ts';
import { sourceLimits } from './sourceLimits.ts';

/** What no name of a branch holds, by the rules of Git, and the long spelling, which a push is not compared with. */
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
