import { addressOf, type Place } from '../../routes.ts';

type How = 'draft' | 'deploy';

interface StepButtonsProps {
  readonly step: 1 | 2 | 3;
  readonly place: Place;
  /** What is being made. */
  readonly busy: How | null;
  readonly onBack: () => void;
  readonly onCreate: (how: How) => void;
}

/** The buttons of a step; the last one makes the service. */
export const StepButtons = ({ step, place, busy, onBack, onCreate }: StepButtonsProps) => (
  <div class="dialog-end">
    {step === 1 ? (
      <a class="button" href={addressOf.project(place)}>
        Cancel
      </a>
    ) : (
      <button type="button" class="button" onClick={onBack}>
        Back
      </button>
    )}
    {step === 3 ? (
      <>
        <button type="button" class="button" aria-busy={busy === 'draft'} onClick={() => onCreate('draft')}>
          {busy === 'draft' ? 'Saving …' : 'Save draft'}
        </button>
        <button
          type="button"
          class="button button-main"
          aria-busy={busy === 'deploy'}
          onClick={() => onCreate('deploy')}
        >
          {busy === 'deploy' ? 'Deploying …' : 'Deploy'}
        </button>
      </>
    ) : (
      <button type="submit" class="button button-main">
        Continue
      </button>
    )}
  </div>
);
