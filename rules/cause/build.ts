import { open } from '../words.ts';
import { type FoundCause, rootOf } from './cause.ts';
import type { CauseReason } from './reasons.ts';
import type { CauseInput } from './rule.ts';

/** What a service waits for that has no image yet: the cause of its current build. */
export function causesOfBuild(
  name: string,
  { self, causeOf }: Pick<CauseInput, 'self' | 'causeOf'>,
): readonly FoundCause[] {
  const on = { kind: 'CoreBuild', name, namespace: self.namespace };
  const worst = name === '' ? undefined : causeOf(on.kind, name);
  if (worst === undefined)
    return [{ reason: 'BuildRunning', message: open('the commit is being built'), on: name === '' ? self : on }];
  const { reason, severity, message: text, params } = worst;
  return [
    {
      reason: reason as CauseReason,
      severity: severity === 'failure' ? 'waiting' : severity,
      message: { text, params },
      on,
      root: rootOf(worst),
    },
  ];
}
