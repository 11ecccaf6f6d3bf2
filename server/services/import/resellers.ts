import type { ForeignRow } from '../../store/foreign-database.ts'
import { textOf } from './read-row.ts'
import type { Translated } from './translated.ts'

const OPENAI = 1

/** Who sells what OpenAI has, under these numbers in both families, and where when the operator says nothing. */
export const resellers: Readonly<Record<number, string>> = {
  6: 'https://api.openaimax.com',
  7: 'https://api.ohmygpt.com',
  9: 'https://api.caipacity.com',
  10: 'https://api.aiproxy.io',
  12: 'https://api.api2gpt.com',
  13: 'https://api.aigc2d.com',
}

/** A channel of somebody who speaks as OpenAI does; undefined when it is none of those. */
export function asOpenai(row: ForeignRow, homes: Readonly<Record<number, string>>): Translated | undefined {
  const home = homes[Number(row.type)]
  return home === undefined ? undefined : { type: OPENAI, baseUrl: textOf(row, 'base_url') || home }
}
