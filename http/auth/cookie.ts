import { createHmac, timingSafeEqual } from 'node:crypto';

export const cookieName = 'core_session';
/** Twelve hours from sign-in, regardless of use (decision 113). */
export const sessionMs = 12 * 3_600_000;

/** The content of the session cookie; the role is the one at sign-in, and no decision uses it. */
export interface Ticket {
  readonly username: string;
  readonly role: 'admin' | 'viewer';
  /** ms since the epoch. */
  readonly expiresAt: number;
  readonly epoch: number;
}

const mac = (text: string, key: Buffer) => createHmac('sha256', key).update(text).digest();

export function sealTicket(ticket: Ticket, key: Buffer): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${text}.${mac(text, key).toString('base64url')}`;
}

/** The ticket, if it was sealed with this key; the caller checks whether it has expired. */
export function openTicket(sealed: string, key: Buffer): Ticket | null {
  const [text = '', seal = '', ...more] = sealed.split('.');
  if (more.length > 0) return null;
  const [given, made] = [Buffer.from(seal, 'base64url'), mac(text, key)];
  if (given.length !== made.length || !timingSafeEqual(given, made)) return null;
  return ticketIn(Buffer.from(text, 'base64url').toString());
}

/** A text sealed with the key is a ticket, unless the holder of the key sealed something else. */
function ticketIn(json: string): Ticket | null {
  try {
    return JSON.parse(json) as Ticket | null;
  } catch {
    return null;
  }
}

/** The session cookie of a Cookie header. */
export function cookieIn(header: string | undefined): string | null {
  if (header === undefined) return null;
  for (const part of header.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === cookieName) return part.slice(at + 1).trim();
  }
  return null;
}

/** A Set-Cookie line; an empty value deletes the cookie. */
export const setCookie = (value: string, secure: boolean): string =>
  [
    `${cookieName}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Lax',
    `Max-Age=${value === '' ? 0 : sessionMs / 1000}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
