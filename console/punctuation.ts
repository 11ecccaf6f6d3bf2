import { currentLanguage } from './text.ts'

// What stands between words that are put together here, as their language writes it.

/** `name: value` */
export function named(name: string, value: string): string {
  return currentLanguage() === 'zh' ? `${name}：${value}` : `${name}: ${value}`
}

/** `words (aside)` */
export function withAside(words: string, aside: string | number): string {
  return currentLanguage() === 'zh' ? `${words}（${aside}）` : `${words} (${aside})`
}
