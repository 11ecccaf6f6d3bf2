import { createHash } from 'node:crypto'
import { isSameSecret } from '../../store/same-secret.ts'

/** The protocol's own signature: MD5 over the fields by name, with the merchant's key behind them. */
export function signEpay(fields: Iterable<readonly [string, string]>, key: string): string {
  const signed = [...fields]
    .filter(([name, value]) => name !== 'sign' && name !== 'sign_type' && value !== '')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('md5')
    .update(signed + key)
    .digest('hex')
}

/** Whether a notice bears the merchant's signature. Nobody's key is blank. */
export function isSigned(fields: ReadonlyMap<string, string>, key: string): boolean {
  if (key === '' || (fields.get('sign_type') ?? 'MD5') !== 'MD5') return false
  return isSameSecret(signEpay(fields, key), (fields.get('sign') ?? '').toLowerCase())
}

/** Undefined when a name comes twice: which of the two was meant is not ours to guess. */
export function readFields(pairs: readonly (readonly [string, string])[]): Map<string, string> | undefined {
  const fields = new Map(pairs)
  return fields.size === pairs.length ? fields : undefined
}

export function moneyText(cents: number): string {
  return (cents / 100).toFixed(2)
}

/** An amount as gateways write it, in cents; undefined when it is no exact amount. */
export function readCents(text: string): number | undefined {
  const [, whole, part = ''] = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}
