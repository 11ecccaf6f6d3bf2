import type { ForeignRow } from '../../store/foreign-database.ts'
import { integerOf } from './read-row.ts'
import { asOpenai, resellers } from './resellers.ts'
import type { Translated } from './translated.ts'

/** The numbers of the second of the older tools are those that are in use here. */
export function translateNewApiChannel(row: ForeignRow): Translated {
  return asOpenai(row, resellers) ?? { type: integerOf(row, 'type') }
}
