import * as z from 'zod/mini'
import { channelRest, keyRest } from './channel-rests.ts'
import { limitsView } from './tokens.ts'

/**
 * A channel as administrators see it. `key` is there because old clients read it; it is always blank. `response_time`
 * is in milliseconds, and 0 after a test that failed.
 */
export const channelView = z.object({
  id: z.int(),
  type: z.int(),
  key: z.literal(''),
  openai_organization: z.nullable(z.string()),
  test_model: z.nullable(z.string()),
  status: z.int(),
  name: z.string(),
  weight: z.int(),
  created_time: z.int(),
  test_time: z.int(),
  response_time: z.int(),
  base_url: z.string(),
  other: z.string(),
  balance: z.number(),
  balance_updated_time: z.int(),
  models: z.string(),
  group: z.string(),
  used_quota: z.int(),
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  priority: z.int(),
  auto_ban: z.int(),
  other_info: z.string(),
  tag: z.nullable(z.string()),
  setting: z.string(),
  ...limitsView,
  /** Only on an enabled channel of which some process leaves models alone for a while. */
  resting: z.optional(z.array(channelRest)),
  /** Only where some of its keys are left alone and others are not. */
  resting_keys: z.optional(z.array(keyRest)),
})
export type ChannelView = z.output<typeof channelView>
