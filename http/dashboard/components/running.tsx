import type { Runs } from '../model/runs.ts';

/** What runs stands first; what is only saved follows an arrow. */
export const Running = ({ now, next }: Runs) => (
  <>
    {now !== '' && <code>{now}</code>}
    {next !== null && (
      <span class="muted">
        {now !== '' && ' '}
        <span aria-hidden="true">→&nbsp;</span>
        <code>{next === '' ? 'none' : next}</code> on next deploy
      </span>
    )}
  </>
);
