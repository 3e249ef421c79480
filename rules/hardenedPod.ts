const user = 1000;

/** The security settings of all server and Job pods of Core: no token, no service links, and an unprivileged user. */
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
