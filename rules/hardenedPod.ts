const user = 1000;

/** What every pod of a server or a Job that Core runs has: no token, no service links, and a user without rights. */
export const hardenedPod = {
  automountServiceAccountToken: false,
  // Images read their settings from the environment, and service links would add variables to it.
  enableServiceLinks: false,
  securityContext: {
    runAsNonRoot: true,
    runAsUser: user,
    runAsGroup: user,
    fsGroup: user,
    seccompProfile: { type: 'RuntimeDefault' },
  },
} as const;
