export const noEnvironmentText =
  'The next pull request that opens, reopens, becomes ready for review or receives a push gets one.';
export const environmentsHelp = 'Applies at once; open environments stay.';
