/** The password in the sample manifest, which no sign-in accepts (decision 111). */
export const samplePassword = 'change-me';
