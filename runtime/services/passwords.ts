import { randomInt } from 'node:crypto';
import { Context, Effect } from 'effect';

export interface PasswordsShape {
  /** A new random password. */
  readonly draw: Effect.Effect<string>;
}

/** Generates the passwords of logins. */
export class Passwords extends Context.Service<Passwords, PasswordsShape>()('core/Passwords') {}

/** No characters that are special in a URL or a shell (decision 97). */
const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 32;

/** 32 characters by the system's cryptographic generator. */
export const randomPasswords: PasswordsShape = {
  draw: Effect.sync(() => Array.from({ length }, () => characters[randomInt(characters.length)]).join('')),
};
