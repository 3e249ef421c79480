export const firstPassword = 'The first password of admin was printed when the server started.';
export const continuesToDevice = 'Continues to the sign-in request after signing in.';
