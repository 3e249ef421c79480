/** First words that start the server or work on its data: commands of the program, and none of the command line. */
export const serverCommands = ['start', 'backup', 'restore'] as const;
