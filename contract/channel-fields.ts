import * as z from 'zod/mini'

/** Older clients write numbers as text, and leave blank what they do not change. */
export const number = z.optional(z.union([z.number(), z.string()]))
export const text = z.optional(z.string())
/** Comma-separated, or a list. */
export const names = z.optional(z.union([z.string(), z.array(z.string())]))

export const fields = {
  type: number,
  name: text,
  key: z.optional(z.union([z.string(), z.number()])),
  base_url: text,
  other: text,
  openai_organization: text,
  test_model: text,
  models: names,
  group: names,
  groups: names,
  model_mapping: text,
  status_code_mapping: text,
  setting: text,
  tag: text,
  priority: number,
  weight: number,
  rpm: number,
  tpm: number,
  concurrency: number,
  auto_ban: z.optional(z.union([z.number(), z.boolean(), z.string()])),
  /** To be blank from now on: for a field that stays as it was when it is left blank. */
  clear: z.optional(z.array(z.enum(['other']))),
}
/** What of a channel can be written. */
const channelFields = z.object(fields)
export type ChannelFields = z.output<typeof channelFields>
/** The same inside a wrapping, where null too stands for "not given". */
export const wrappedFields = z.pipe(z.transform(withoutNulls), channelFields)

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== null))
}
