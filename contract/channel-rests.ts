import * as z from 'zod/mini'

/** Why a channel is left alone for a while: `rate` is a 429, `auth` a key that was refused. */
const restReasons = ['rate', 'server', 'timeout', 'connect', 'empty', 'auth'] as const

export const channelRest = z.object({
  /** Left out where it is all of them: no key can be used. */
  model: z.optional(z.string()),
  /** Seconds since 1970; whoever asks after that is served again. */
  until: z.int(),
  reason: z.enum(restReasons),
  /** What the upstream answered with, if it did. */
  status: z.optional(z.int()),
})
export type ChannelRestView = z.output<typeof channelRest>

/** The channel is asked with its other keys. `until` is when the last of these is back. */
export const keyRest = z.extend(channelRest, {
  keys: z.object({ resting: z.int(), all: z.int() }),
})
export type KeyRestView = z.output<typeof keyRest>
