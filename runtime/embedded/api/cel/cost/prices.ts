/** What it costs to go through a character of text. */
export const ofCharacter = 0.1;
/** What a character of a pattern costs for each character that it is tried on. */
export const ofPattern = 0.25;
export const ofNewList = 10;
export const ofNewMap = 30;
/** What it costs to ask an authorizer. */
export const ofCheck = 350_000;
