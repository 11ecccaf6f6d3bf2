import type { Variable } from '../place.ts'
import { openSecret } from './open-secret.ts'

/** Why a row of the database cannot come. */
export class CannotRead extends Error {}

/** What LiteLLM seals with. */
export function saltOf(variable: Variable): string | undefined {
  return variable('LITELLM_SALT_KEY') ?? variable('LITELLM_MASTER_KEY')
}

export function openWith(key: string | undefined, value: string): string {
  const opened = key === undefined ? undefined : openSecret(value, key)
  if (opened !== undefined) return opened
  throw new CannotRead(
    key === undefined
      ? 'set LITELLM_SALT_KEY, or LITELLM_MASTER_KEY where there was none'
      : 'it was sealed with another LITELLM_SALT_KEY or LITELLM_MASTER_KEY',
  )
}

/** Some versions write it as text. */
export function asFields(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  if (typeof value !== 'string') return {}
  try {
    return asFields(JSON.parse(value))
  } catch {
    return {}
  }
}
