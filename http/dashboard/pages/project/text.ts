export const pageHelp = 'Services use the variables that their settings name.';
export const savedHelp = 'New copies get the new values; running copies keep theirs until a redeploy.';
export const noServiceText = 'A service runs an image, a repository or a function; databases stand beside it.';
export const settingUp = 'The project is being set up.';
