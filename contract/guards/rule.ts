import * as z from 'zod/mini'
import { LONGEST_SECRET } from '../settings/define.ts'
import { type GuardKind, guardKinds } from './kinds.ts'

export const MOST_RULES = 50
const LONGEST_RULE_NAME = 60
const MOST_WORDS = 1000
export const LONGEST_WORD = 200
export const LONGEST_WAIT = 30

const name = z.string().check(z.minLength(1), z.maxLength(255))
/** What is asked and answered: of models, and of the tools of MCP servers. */
export const guardSides = ['input', 'output', 'tool-input', 'tool-output'] as const

const kinds = Object.keys(guardKinds) as [GuardKind, ...GuardKind[]]

/** Of whoever is asked: how long it may take, and what happens where it says nothing that can be read. */
const asked = {
  seconds: z.int().check(z.gte(1), z.lte(LONGEST_WAIT)),
  otherwise: z.enum(['allow', 'block']),
}

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
    /** Its own; without one it is sent the secret for all webhooks. Where it is stored it is sealed, and longer. */
    secret: z.optional(z.string().check(z.maxLength(5 * LONGEST_SECRET))),
    ...asked,
  }),
  z.strictObject({
    by: z.literal('model'),
    /** One that moderates; any of the operator's channels may serve it. */
    model: name,
    /** Those that count, from a score on or where the model itself says so. None: whatever it flags. */
    categories: z.record(name, z.union([z.number().check(z.gte(0), z.lte(1)), z.literal('flagged')])),
    ...asked,
  }),
])

/** One of the operator's rules for what is asked and answered. Without groups or models it is for all of them. */
export const guardRule = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(LONGEST_RULE_NAME)),
  enabled: z.boolean(),
  where: z.array(z.enum(guardSides)).check(z.minLength(1)),
  groups: z.array(name).check(z.maxLength(100)),
  /** A name that ends with `*` stands for all that begin so. A tool is one by the name that the log has for it. */
  models: z.array(name).check(z.maxLength(500)),
  looks,
  /** Of a webhook, what it answers is done, and this is not looked at. A model does not say where: it cannot mask. */
  action: z.enum(['block', 'mask', 'note']),
})

export type GuardRule = z.infer<typeof guardRule>
export type GuardSide = GuardRule['where'][number]
export type GuardAction = GuardRule['action']
export type Look = GuardRule['looks']
export type WebhookLook = Extract<Look, { by: 'webhook' }>
export type ModelLook = Extract<Look, { by: 'model' }>
export type AskedLook = WebhookLook | ModelLook
export type LocalLook = Exclude<Look, AskedLook>

/** Whether somebody else is asked. */
export function isAsked(looks: Look): looks is AskedLook {
  return looks.by === 'webhook' || looks.by === 'model'
}
