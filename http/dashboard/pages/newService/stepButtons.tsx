import type { FormButton } from '../../components/form/formButtons.tsx';
import { addressOf, type Place } from '../../routes.ts';

/** Leads to the next step. */
export const continueButton: readonly FormButton[] = [{ label: 'Continue', busyLabel: 'Continuing', isSubmit: true }];

/** The last step makes the service; Enter alone does not. */
export const createButtons: readonly FormButton[] = [
  { name: 'draft', label: 'Save draft', busyLabel: 'Saving', look: 'plain' },
  { name: 'deploy', label: 'Deploy', busyLabel: 'Deploying' },
];

interface WayBackProps {
  readonly step: 1 | 2 | 3;
  readonly place: Place;
  readonly onBack: () => void;
}

/** Leads to the step before, or out of the first one. */
export const WayBack = ({ step, place, onBack }: WayBackProps) =>
  step === 1 ? (
    <a class="button" href={addressOf.project(place)}>
      Cancel
    </a>
  ) : (
    <button type="button" class="button" onClick={onBack}>
      Back
    </button>
  );
