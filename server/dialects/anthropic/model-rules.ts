/** What a Claude model takes. Anything it refuses would be a 400 for the client. */
export interface ModelRules {
  readonly isClaude: boolean
  /**
   * `budget`: enabled with budget_tokens. `adaptive`: off unless asked for. `default-on`: may be disabled.
   * `always`: cannot be disabled. `between-tools`: `between_tools` stands for disabled.
   */
  readonly thinking: 'budget' | 'adaptive' | 'default-on' | 'always' | 'between-tools'
  /** `one`: temperature or top_p, not both. */
  readonly sampling: 'all' | 'one' | 'none'
  readonly forcedTools: 'yes' | 'without-thinking' | 'no'
  /** Whether the conversation may end with an assistant turn. */
  readonly prefill: boolean
  /** Whether role `system` may stand right after a user turn. */
  readonly midSystem: boolean
  readonly xhighEffort: boolean
  /** Whether thoughts come without their text unless that is asked for. */
  readonly hidesThoughts: boolean
  /** output_config.format and strict tools. */
  readonly schemas: boolean
}

/** Also for the models that other vendors serve in this dialect: they take what old Claudes took. */
const FOREIGN: ModelRules = {
  isClaude: false,
  thinking: 'budget',
  sampling: 'all',
  forcedTools: 'without-thinking',
  prefill: true,
  midSystem: false,
  xhighEffort: false,
  hidesThoughts: false,
  schemas: false,
}
const UP_TO_4_0: ModelRules = { ...FOREIGN, isClaude: true }
const UP_TO_4_4: ModelRules = { ...UP_TO_4_0, sampling: 'one' }
const AT_4_5: ModelRules = { ...UP_TO_4_4, schemas: true }
const SINCE_4_6: ModelRules = {
  ...AT_4_5,
  thinking: 'adaptive',
  forcedTools: 'yes',
  prefill: false,
}
const SINCE_4_7: ModelRules = { ...SINCE_4_6, sampling: 'none', xhighEffort: true, hidesThoughts: true }
const SINCE_4_8: ModelRules = { ...SINCE_4_7, midSystem: true }
const OPUS_5: ModelRules = { ...SINCE_4_8, thinking: 'default-on' }
const OPUS_5_5: ModelRules = { ...SINCE_4_8, thinking: 'always', forcedTools: 'no' }
const SONNET_5_5: ModelRules = { ...OPUS_5_5, thinking: 'between-tools' }

/** A name newer than those known here gets the rules of the newest of its family. */
export function findModelRules(model: string): ModelRules {
  const name = model.toLowerCase()
  const at = name.indexOf('claude')
  if (at < 0) return FOREIGN
  const rest = name.slice(at + 'claude'.length)
  const version = readVersion(rest)
  if (version <= 400) return UP_TO_4_0
  if (version < 405) return UP_TO_4_4
  if (version === 405) return AT_4_5
  if (version <= 406) return SINCE_4_6
  if (version <= 407) return SINCE_4_7
  if (version < 500) return SINCE_4_8
  if (version === 500) return rest.includes('opus') ? OPUS_5 : SINCE_4_8
  return rest.includes('sonnet') || rest.includes('haiku') ? SONNET_5_5 : OPUS_5_5
}

/** 4.5 is 405. Dates (eight digits) are no versions; a name without one is the newest. */
function readVersion(rest: string): number {
  if (rest.startsWith('-instant')) return 100
  const found = /(?<!\d)(\d{1,2})(?:[-._:](\d{1,2}))?(?!\d)/.exec(rest)
  if (found === null) return Number.POSITIVE_INFINITY
  return Number(found[1]) * 100 + Number(found[2] ?? 0)
}
