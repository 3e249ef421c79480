export const noVariableText = 'Add one, or paste the lines of a .env file.';
export const plainHelp = 'Visible to admins and observers.';
export const secretHelp = 'Stored in a Secret; never shown after it is saved.';
export const hasReturnHelp = 'The value contains a carriage return: edit it as text.';
