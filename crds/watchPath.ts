import { Type } from '@sinclair/typebox';
import { sourceLimits } from './sourceLimits.ts';

/** A name in a path of a repository, which is neither `.` nor `..`. */
const name = String.raw`([^./\x00][^/\x00]*|[.][^./\x00][^/\x00]*|[.][.][^/\x00]+)`;
/** A name that does not begin an exclusion. */
const first = name.replace('[^./', '[^!./');
/** A glob of included or excluded files that some path of a repository can match. */
export const watchPattern = `^!?(([.]?/+)+${name}|${first})(/+([.]/+)*${name})*/*$`;
export const watchExample = 'apps/web/**';

/** A pattern of the files that a service watches; its length is limited because of the cost of its rule. */
export const watchPath = Type.String({
  ...sourceLimits.path,
  'x-kubernetes-validations': [
    {
      rule: `self.matches('${watchPattern.replaceAll('\\', '\\\\')}')`,
      message: `must be a path in the repository such as ${watchExample} or !docs/**, without ..`,
    },
  ],
});
export const watchPathsAtMost = 256;
