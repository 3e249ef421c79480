/** Where the API of the one supported DNS provider is; apart, so that settings are read without the client. */
export const cloudflareUrl = 'https://api.cloudflare.com/client/v4';
