import { createHmac } from 'node:crypto'
import { isSameSecret } from '../../../store/same-secret.ts'

/** What is older may have been overheard; the sender signs each delivery anew. */
const TOLERANCE_SECONDS = 300
/** Two secrets are in force while one takes over from the other. */
const MOST_SIGNATURES = 10

/** Whether `t=…,v1=…` is a signature of ours over this text. Nobody's secret is blank. */
export function isSignedByStripe(
  payload: string,
  header: string | null,
  { secret, now }: { readonly secret: string; readonly now: number },
): boolean {
  if (secret === '' || header === null) return false
  const parts = header.split(',').map(part => part.trim().split('='))
  const time = parts.find(([scheme]) => scheme === 't')?.[1] ?? ''
  if (!/^\d{1,15}$/.test(time) || now - Number(time) > TOLERANCE_SECONDS) return false
  const right = createHmac('sha256', secret).update(`${time}.${payload}`).digest('hex')
  return parts
    .filter(([scheme]) => scheme === 'v1')
    .slice(0, MOST_SIGNATURES)
    .some(([, given = '']) => isSameSecret(right, given))
}
