export const expiryProblem = 'Choose the day on which the token expires';
export const projectTokenHelp =
  'Deploys and configures the services of one environment. Creates nothing, changes no settings.';
export const neverExpiresHelp = 'The token stays valid until it is revoked.';
