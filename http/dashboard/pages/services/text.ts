export const pageHelp = 'Every service of every project.';
export const noServiceText = 'A service runs an image, a repository or a function, in an environment of a project.';
