import type { Text } from '../language.ts'

export type ErrorTexts = Readonly<Record<string, Text & { readonly status: number }>>

/** One error: its HTTP status and its words. */
export function e(status: number, zh: string, en: string) {
  return { status, zh, en }
}
