import * as z from 'zod/mini'
import { type GuardKind, guardKinds } from './kinds.ts'

export const MOST_RULES = 50
export const LONGEST_RULE_NAME = 60
export const MOST_WORDS = 1000
export const LONGEST_WORD = 200
export const LONGEST_WAIT = 30

const name = z.string().check(z.minLength(1), z.maxLength(255))
const kinds = Object.keys(guardKinds) as [GuardKind, ...GuardKind[]]

const looks = z.discriminatedUnion('by', [
  z.strictObject({ by: z.literal('kinds'), kinds: z.array(z.enum(kinds)).check(z.minLength(1)) }),
  z.strictObject({
    by: z.literal('words'),
    words: z
      .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_WORD)))
      .check(z.minLength(1), z.maxLength(MOST_WORDS)),
  }),
  z.strictObject({ by: z.literal('pattern'), pattern: z.string() }),
  z.strictObject({
    by: z.literal('webhook'),
    url: z.string().check(z.maxLength(2000)),
    /** How long it may take. */
    seconds: z.int().check(z.gte(1), z.lte(LONGEST_WAIT)),
    /** What happens where it cannot be asked, or says nothing that can be read. */
    otherwise: z.enum(['allow', 'block']),
  }),
])

/** One of the operator's rules for what is asked and answered. Without groups or models it is for all of them. */
export const guardRule = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_RULE_NAME)),
  enabled: z.boolean(),
  where: z.array(z.enum(['input', 'output'])).check(z.minLength(1)),
  groups: z.array(name).check(z.maxLength(100)),
  /** A name that ends with `*` stands for all that begin so. */
  models: z.array(name).check(z.maxLength(500)),
  looks,
  /** Of a webhook, what it answers is done, and this is not looked at. */
  action: z.enum(['block', 'mask', 'note']),
})

export type GuardRule = z.infer<typeof guardRule>
export type GuardSide = GuardRule['where'][number]
export type GuardAction = GuardRule['action']
export type Look = GuardRule['looks']
export type WebhookLook = Extract<Look, { by: 'webhook' }>
export type LocalLook = Exclude<Look, WebhookLook>
