import type { Language } from '../../../contract/language.ts'

const MINUTE = 60
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 24 * 60 * MINUTE],
  ['month', 30 * 24 * 60 * MINUTE],
  ['day', 24 * 60 * MINUTE],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
]

/** Kept: a scrolled table uses one for every row. */
const formats = new Map<Language, Intl.RelativeTimeFormat>()

/** How long ago it was, in the largest unit that is full; what is less than a minute ago is now. */
export function sayHowLongAgo(seconds: number, now: number, language: Language): string {
  let format = formats.get(language)
  if (!format) {
    format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    formats.set(language, format)
  }
  const passed = now - seconds
  for (const [unit, length] of units)
    if (passed >= length) return apart(format.format(-Math.floor(passed / length), unit))
  return format.format(0, 'second')
}

/** As everywhere in the console, a number stands apart from the word after it. */
function apart(text: string): string {
  return text.replace(/(\d)(?=\p{Script=Han})/gu, '$1 ')
}

/** A token that was made is as good as used at that second, for those who know no other word for it. */
export function wasUsed(token: { readonly created_time: number; readonly accessed_time: number }): boolean {
  return token.accessed_time > token.created_time
}
