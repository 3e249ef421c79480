export const imageHelp = 'Runs an image as it is.';
export const repositoryHelp = 'Builds a repository on every push.';
export const functionHelp = 'Runs a piece of code without a build.';
export const notConnected =
  'The project is not connected to the Git host: until it is, the service can be a draft alone.';
