/** The API of the one supported DNS provider; in its own file, so that settings load without the client. */
export const cloudflareUrl = 'https://api.cloudflare.com/client/v4';
