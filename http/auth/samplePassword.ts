/** Stands in the sample manifest so that nobody can sign in with it (decision 111). */
export const samplePassword = 'change-me';
