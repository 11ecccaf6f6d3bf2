import { dialectNames } from '../../../contract/dialects.ts'

// A member of the wrong kind would be saved, shown, and never obeyed. Members of other names may stay: other
// programs keep theirs there.

type Fits = (value: unknown) => boolean

const isText: Fits = value => typeof value === 'string'
const isFlag: Fits = value => typeof value === 'boolean'
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const dialects: ReadonlySet<unknown> = new Set(dialectNames)

const members: Readonly<Record<string, Fits>> = {
  proxy: isText,
  force_format: isFlag,
  dialects: value => Array.isArray(value) && value.every(name => dialects.has(name)),
  param_override: isObject,
  header_override: value => isObject(value) && Object.values(value).every(isText),
  system_prompt: isText,
  system_prompt_override: isFlag,
  allow_service_tier: isFlag,
  allow_account_data: isFlag,
  thinking_to_content: isFlag,
}

export function isSetting(setting: object): boolean {
  return Object.entries(setting).every(([name, value]) => {
    const fits = Object.hasOwn(members, name) ? members[name] : undefined
    return !fits || value === null || fits(value)
  })
}

export function isModelMapping(mapping: object): boolean {
  return Object.values(mapping).every(isText)
}

/** Only errors are renamed, and only into errors. */
export function isStatusMapping(mapping: object): boolean {
  return Object.entries(mapping).every(pair => pair.every(isErrorStatus))
}

function isErrorStatus(value: unknown): boolean {
  const isNumber = typeof value === 'number' || typeof value === 'string'
  return isNumber && /^\s*[45]\d\d\s*$/.test(String(value))
}
