export const onlyAdminsAdd = 'Only admins can add resources.';
export const serviceHelp = 'A service runs an image, a repository or a function.';
