/** What a person can do, by the reason of the Ready condition. */
const byReason: Readonly<Record<string, string>> = {
  ProvisionFailed: 'Correct the settings and deploy, or press Retry once the cause is gone.',
  BuildFailed: 'Open the failed build for its log. Push a fix or rebuild.',
};

/** The same of what is deployed on every change. */
const ungatedByReason: Readonly<Record<string, string>> = {
  ProvisionFailed: 'Correct the settings, or press Retry once the cause is gone.',
};
/** What to do about a reason; empty where nothing helps but to wait. */
export const hintOfReason = (reason: string, isUngated = false): string =>
  (isUngated ? ungatedByReason[reason] : undefined) ?? byReason[reason] ?? '';
