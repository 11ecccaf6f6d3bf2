import { formatCount } from '../../format.ts'

/** Why a number that was typed will not do, in words of every catalogue; undefined where it will. */
export interface WholeFault {
  readonly word: 'inline.least' | 'inline.between'
  readonly values: { readonly least: string; readonly most: string }
}

/** More than this is an amount that nobody has to be told the end of. */
const UNTOLD = 1e9

export function wholeFault(text: string, least: number, most: number): WholeFault | undefined {
  if (/^-?\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most) return undefined
  const values = { least: formatCount(least), most: formatCount(most) }
  return { word: most > UNTOLD ? 'inline.least' : 'inline.between', values }
}
