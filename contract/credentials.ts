import * as z from 'zod/mini'

/** The family's lengths: a username of at most 12, a password of 8 to 20. */
export const username = z.string().check(z.trim(), z.minLength(1), z.maxLength(12))
export const password = z.string().check(z.minLength(8), z.maxLength(20))
