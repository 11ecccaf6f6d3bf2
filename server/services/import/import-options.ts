import { SettingError } from '../../../contract/settings/define.ts'
import { isSettingKey, type SettingKey, settings } from '../../../contract/settings/index.ts'
import type { ForeignRow } from '../../store/foreign-database.ts'
import { storedValue } from '../options.ts'
import type { House } from './house.ts'

/** Settings that exist here too, if their values are ones that could be saved here. */
export async function importOptions(house: House, rows: readonly ForeignRow[]): Promise<void> {
  const { store, transaction, report, now } = house
  const came = rows.flatMap(({ key, value }) => {
    if (typeof key !== 'string' || typeof value !== 'string' || !isSettingKey(key)) return []
    const encoded = readValue(house, key, value)
    return encoded === undefined ? [] : { key, value: storedValue(store, key, encoded), updated_at: now }
  })
  if (came.length === 0) return
  await transaction.insertInto('options').values(came).execute()
  report.add('settings', came.length)
}

function readValue({ report }: House, key: SettingKey, text: string): string | undefined {
  const setting = settings[key]
  try {
    return (setting.encode as (value: unknown) => string)(setting.decode(text))
  } catch (error) {
    if (!(error instanceof SettingError)) throw error
    report.note(`setting ${key}: left as it is here: ${error.message}`)
    return undefined
  }
}
