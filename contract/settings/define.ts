import * as z from 'zod/mini'
import type { ErrorCode } from '../errors.ts'
import type { Text } from '../language.ts'
import { duplicateKey } from './duplicate-key.ts'
import type { SectionId } from './sections.ts'

/** How a setting is edited; the wire always carries it as text. */
export type SettingKind =
  | 'flag'
  | 'integer'
  | 'quota'
  | 'decimal'
  | 'text'
  | 'long-text'
  | 'html'
  | 'url'
  | 'secret'
  | 'choice'
  | 'list'
  | 'lines'
  | 'json'

export interface Setting<T = unknown> {
  readonly kind: SettingKind
  readonly section: SectionId
  readonly label: Text
  readonly help?: Text
  readonly default: T
  /** Secrets can be written but never read back. */
  readonly secret: boolean
  /** The value with each secret inside it changed; `of` tells whose it is. Such are never read back either. */
  changeSecrets?(value: T, change: (secret: string, of: string) => string): T
  /**
   * The value with each address in it changed that the server asks; passwords and keys in these are not read back. `of`
   * tells whose it is, blank where it is the value itself.
   */
  changeAddresses?(value: T, change: (address: string, of: string) => string): T
  /** `public` settings are part of what anyone can fetch; the rest only the super administrator sees. */
  readonly visible: 'public' | 'root'
  readonly choices?: readonly { readonly value: string; readonly label: Text }[]
  /** Text to value; throws SettingError. */
  decode(text: string): T
  encode(value: T): string
}

/** Stands where a secret inside a value is not told; sent back, it stands for what is stored. */
export const KEPT_SECRET = '******'
export const LONGEST_SECRET = 500

/** Why a value was refused; the server turns it into an error for the caller. */
export class SettingError extends Error {
  override readonly name = 'SettingError'
  readonly code: ErrorCode
  readonly detail: Text
  readonly params: Readonly<Record<string, string>>
  constructor(code: ErrorCode, detail: Text, params: Readonly<Record<string, string>> = {}) {
    super(detail.en)
    this.code = code
    this.detail = detail
    this.params = params
  }
}

interface Common {
  label: Text
  help?: Text
  public?: true
}

function invalid(zh: string, en: string): SettingError {
  return new SettingError('option.value', { zh, en })
}

function base(kind: SettingKind, section: SectionId, common: Common) {
  return {
    kind,
    section,
    label: common.label,
    ...(common.help ? { help: common.help } : {}),
    secret: false,
    visible: common.public ? ('public' as const) : ('root' as const),
  }
}

export function flag(section: SectionId, initial: boolean, common: Common): Setting<boolean> {
  return {
    ...base('flag', section, common),
    default: initial,
    decode(text) {
      if (text === 'true') return true
      if (text === 'false') return false
      throw invalid('只能是 true 或 false', 'must be true or false')
    },
    encode: String,
  }
}

export function integer(
  section: SectionId,
  initial: number,
  common: Common & { min?: number; max?: number },
): Setting<number> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = common
  return {
    ...base('integer', section, common),
    default: initial,
    decode(text) {
      const value = Number(text)
      if (!/^-?\d{1,16}$/.test(text.trim()) || !Number.isSafeInteger(value) || value < min || value > max)
        throw invalid(`必须是 ${min} 到 ${max} 之间的整数`, `must be a whole number from ${min} to ${max}`)
      return value
    },
    encode: String,
  }
}

/** A whole number of quota: whoever edits it sees what it is worth. */
export function quota(...given: Parameters<typeof integer>): Setting<number> {
  return { ...integer(...given), kind: 'quota' }
}

export function decimal(
  section: SectionId,
  initial: number,
  common: Common & { min?: number; max?: number },
): Setting<number> {
  const { min = 0, max = 1_000_000 } = common
  return {
    ...base('decimal', section, common),
    default: initial,
    decode(text) {
      const value = Number(text)
      if (!/^-?\d{1,12}(\.\d{1,9})?$/.test(text.trim()) || value < min || value > max)
        throw invalid(`必须是 ${min} 到 ${max} 之间的数字`, `must be a number from ${min} to ${max}`)
      return value
    },
    // Small ones would have an exponent, which is not read above.
    encode: value => (/e/.test(String(value)) ? value.toFixed(9).replace(/0+$/, '') : String(value)),
  }
}

function bounded(text: string, most: number): string {
  if (text.length > most) throw invalid(`最多 ${most} 个字符`, `must be at most ${most} characters long`)
  return text
}

export function text(
  section: SectionId,
  initial: string,
  common: Common & { max?: number; pattern?: RegExp; hint?: Text },
): Setting<string> {
  return {
    ...base('text', section, common),
    default: initial,
    decode(input) {
      const value = bounded(input.trim(), common.max ?? 500)
      if (value && common.pattern && !common.pattern.test(value))
        throw invalid(common.hint?.zh ?? '格式不正确', common.hint?.en ?? 'has the wrong format')
      return value
    },
    encode: value => value,
  }
}

export function secret(section: SectionId, common: Common): Setting<string> {
  return {
    ...base('secret', section, common),
    secret: true,
    default: '',
    decode: input => bounded(input.trim(), 4000),
    encode: value => value,
  }
}

/** Text that may span lines: Markdown or HTML for a page (`html`), or one entry per line (`lines`). */
export function longText(
  section: SectionId,
  initial: string,
  common: Common & { kind?: 'html' | 'lines' | 'long-text' },
): Setting<string> {
  return {
    ...base(common.kind ?? 'long-text', section, common),
    default: initial,
    decode: input => bounded(input, 500_000),
    encode: value => value,
  }
}

const webSchemes = ['http:', 'https:']

/** An http(s) address without a trailing slash, or blank. */
export function url(
  section: SectionId,
  common: Common & { schemes?: readonly string[]; initial?: string },
): Setting<string> {
  return {
    ...base('url', section, common),
    ...(common.public ? {} : { changeAddresses: (value, change) => change(value, '') }),
    default: common.initial ?? '',
    decode: input => readAddress(input, common.schemes ?? webSchemes).replace(/\/+$/, ''),
    encode: value => value,
  }
}

/** One that paths are put behind: nothing may follow its own, and telephones begin it with a capital. */
export function site(section: SectionId, common: Common & { initial?: string }): Setting<string> {
  const setting = url(section, common)
  return {
    ...setting,
    decode(input) {
      const value = setting.decode(input)
      if (/[?#]/.test(value)) throw invalid('不能含有 ? 或 #', 'must not have a ? or # in it')
      return value.replace(/^[^/]*\/\/[^/@]*(?=\/|$)/, origin => origin.toLowerCase())
    },
  }
}

/** An http(s) address as it was given: whoever knows it may use it. */
export function secretUrl(section: SectionId, common: Common): Setting<string> {
  return { ...secret(section, common), decode: input => readAddress(input, webSchemes) }
}

function readAddress(input: string, schemes: readonly string[]): string {
  const value = bounded(input.trim(), 2000)
  if (value === '') return ''
  const parsed = URL.canParse(value) ? new URL(value) : undefined
  if (!parsed || !schemes.includes(parsed.protocol)) {
    const allowed = schemes.map(scheme => `${scheme}//`).join(' / ')
    throw invalid(`必须是以 ${allowed} 开头的地址`, `must be an address that begins with ${allowed}`)
  }
  return value
}

/** Without what stands around it where people copy it from. */
export function without(setting: Setting<string>, around: RegExp): Setting<string> {
  return { ...setting, decode: input => setting.decode(input).replace(around, '') }
}

/** One that nothing works without: clearing it brings back what it was at first. */
export function blankIsDefault(setting: Setting<string>): Setting<string> {
  return { ...setting, decode: input => setting.decode(input) || setting.default }
}

export function choice<const V extends string>(
  section: SectionId,
  initial: NoInfer<V>,
  choices: readonly { value: V; label: Text }[],
  common: Common,
): Setting<V> {
  return {
    ...base('choice', section, common),
    default: initial,
    choices,
    decode(input) {
      const found = choices.find(option => option.value === input)
      const allowed = choices.map(option => option.value).join(', ')
      if (!found) throw invalid(`只能是 ${allowed}`, `must be one of ${allowed}`)
      return found.value
    },
    encode: value => value,
  }
}

/** Comma-separated on the wire. */
export function list(
  section: SectionId,
  initial: readonly string[],
  common: Common & { item: RegExp; hint: Text },
): Setting<readonly string[]> {
  return {
    ...base('list', section, common),
    default: initial,
    decode(input) {
      const items = bounded(input, 20_000)
        .split(/[,，\n]/)
        .map(item => item.trim())
        .filter(item => item !== '')
      if (!items.every(item => common.item.test(item))) throw invalid(common.hint.zh, common.hint.en)
      return [...new Set(items)]
    },
    encode: value => value.join(','),
  }
}

/** Nobody's name, and schemas pass over it in silence. */
function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw new SyntaxError(key)
  return value
}

export function json<T>(
  section: SectionId,
  initial: T,
  common: Common & {
    schema: z.ZodMiniType<T>
    refuse?: (value: T) => SettingError | undefined
    changeSecrets?: NonNullable<Setting<T>['changeSecrets']>
    changeAddresses?: NonNullable<Setting<T>['changeAddresses']>
  },
): Setting<T> {
  return {
    ...base('json', section, common),
    ...(common.changeSecrets ? { changeSecrets: common.changeSecrets } : {}),
    ...(common.changeAddresses ? { changeAddresses: common.changeAddresses } : {}),
    default: initial,
    decode(input) {
      let parsed: unknown
      try {
        parsed = JSON.parse(bounded(input, 1_000_000), refuseProto)
      } catch {
        throw new SettingError('option.json', { zh: '不是合法的 JSON 字符串', en: 'not a valid JSON string' })
      }
      const twice = duplicateKey(input)
      if (twice !== undefined) throw invalid(`名称重复：${twice}`, `the name ${twice} appears twice`)
      const result = common.schema.safeParse(parsed)
      if (!result.success) {
        const where = result.error.issues[0]?.path.join('.') ?? ''
        throw invalid(
          `结构不正确${where && `（${where}）`}`,
          `has the wrong structure${where && ` (at ${where})`}`,
        )
      }
      const refused = common.refuse?.(result.data)
      if (refused) throw refused
      return result.data
    },
    encode: value => JSON.stringify(value, null, 2),
  }
}

/** Names such as groups and models, mapped to something. `__proto__` is nobody's name. */
export const name = z.string().check(
  z.minLength(1),
  z.maxLength(255),
  z.refine(value => value !== '__proto__'),
)
export const ratioMap = z.record(name, z.number().check(z.gte(0), z.lte(1_000_000_000)))
export const tokenMap = z.record(name, z.int().check(z.gte(1), z.lte(1_000_000_000)))
