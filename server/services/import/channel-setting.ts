import { AppError } from '../../errors.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { isSetting } from '../channels/check-contents.ts'
import { checkOverride } from '../channels/check-override.ts'
import { parseObject } from '../channels/read-fields.ts'
import { textOf } from './read-row.ts'

interface CameSetting {
  readonly setting: string
  /** What could not come, and why. */
  readonly without: readonly string[]
}

/** What there are columns for elsewhere is a member of a channel's settings here. */
export function readSetting(row: ForeignRow): CameSetting {
  const text = ownSetting(row)
  const setting = text === '' ? {} : parseObject(text)
  if (!setting) return { setting: text, without: [] }
  const came: Record<string, unknown> = {}
  const without: string[] = []
  for (const name of ['param_override', 'header_override']) {
    const given = textOf(row, name)
    if (given === '' || given === '{}' || given === 'null') continue
    const override = withTexts(name, parseObject(given))
    const reason = override ? refusalOf({ [name]: override }) : `${name}: it is no JSON object`
    if (reason === undefined) came[name] = override
    else without.push(reason)
  }
  if (Object.keys(came).length === 0) return { setting: text, without }
  return { setting: JSON.stringify({ ...setting, ...came }), without }
}

/** The first of the older tools has a column for what a channel says to its models, and says it to everybody. */
function ownSetting(row: ForeignRow): string {
  const system_prompt = textOf(row, 'system_prompt')
  if (system_prompt === '') return textOf(row, 'setting')
  return JSON.stringify({ system_prompt, system_prompt_override: true })
}

/** There numbers and flags may stand for what a header says. */
function withTexts(name: string, override: object | undefined): object | undefined {
  if (name !== 'header_override' || !override) return override
  const pairs = Object.entries(override).map(([header, value]) => {
    const isPlain = typeof value === 'number' || typeof value === 'boolean'
    return [header, isPlain ? String(value) : value]
  })
  return Object.fromEntries(pairs)
}

function refusalOf(setting: object): string | undefined {
  try {
    checkOverride(setting)
    return isSetting(setting) ? undefined : `${Object.keys(setting).join()}: it is of the wrong kind`
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}
