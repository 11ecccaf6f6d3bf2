import type { LogView } from '../../../contract/logs.ts'
import { formatCount, formatRatio } from '../../format.ts'
import { formatPrice } from '../../price-of.ts'
import { currentLanguage } from '../../text.ts'
import { ledgerWord } from '../../ui/amounts/ledger-words.ts'
import { chargeOf, readOther } from './read-other.ts'

const MILLION = 1_000_000
const perMillion = { zh: '每百万', en: 'per 1M' } as const

/**
 * The prices that a call was charged at, in a line: for a million tokens in and out, or for a call, and whatever made
 * it cheaper or dearer than its tokens say. Blank where the row tells no price.
 */
export function priceWords(row: LogView, quotaPerUnit: number): string {
  const charge = chargeOf(row, quotaPerUnit)
  // A batch that asked several models has no one price.
  if (!charge || readOther(row).batchModels.length > 0) return ''
  const language = currentLanguage()
  const { groupRatio, share, batch, searches, tools = [] } = charge
  const ratios = [
    ['group', groupRatio === 1 ? undefined : groupRatio],
    ['share', share],
    ['batch', batch],
  ] as const
  const counts = [
    ...('price' in charge ? [] : (charge.parts ?? []).map(({ kind, tokens }) => [kind, tokens] as const)),
    ['searches', searches?.count] as const,
  ]
  return [
    priceIn(charge, language),
    ...ratios.map(
      ([word, value]) => value !== undefined && `${ledgerWord(word, language)} ${formatRatio(value)}`,
    ),
    ...counts.map(
      ([word, value]) => value !== undefined && `${ledgerWord(word, language)} ${formatCount(value)}`,
    ),
    ...tools.map(({ name, count }) => `${name} ${formatRatio(count)}`),
  ]
    .filter(Boolean)
    .join(' · ')
}

function priceIn(
  charge: NonNullable<ReturnType<typeof chargeOf>>,
  language: keyof typeof perMillion,
): string {
  if ('price' in charge) {
    if (charge.calls === 0) return ''
    const price = `${ledgerWord('price', language)} ${formatPrice(charge.price)}`
    return charge.calls === 1 ? price : `${price} × ${formatRatio(charge.calls)}`
  }
  // A container is paid for, and no token.
  if (charge.prompt + charge.completion === 0 && charge.parts?.length === 0) return ''
  const prompt = (charge.modelRatio * MILLION) / charge.quotaPerUnit
  const completion = prompt * charge.completionRatio
  // What writes nothing has no price for it.
  const both = charge.completion > 0 ? ` / ${formatPrice(completion)}` : ''
  return `${perMillion[language]} ${formatPrice(prompt)}${both}`
}
