import { randomInt } from 'node:crypto'

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Text that nobody can guess. */
export function randomText(length: number, characters = LETTERS_AND_DIGITS): string {
  return Array.from({ length }, () => characters[randomInt(characters.length)]).join('')
}
