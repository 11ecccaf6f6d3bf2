import { frontOfKeys, unsendableIn } from '../../../contract/channel-key.ts'
import { channelTypeOf } from '../../../contract/channel-types.ts'
import { AppError } from '../../errors.ts'
import { log } from '../../log.ts'
import type { Store } from '../../store/index.ts'
import { channelKeyPlace } from '../../store/sealed-places.ts'

interface Sealed {
  readonly id: number
  readonly key_sealed: string
}

export function sealKey({ cipher }: Pick<Store, 'cipher'>, id: number, key: string): string {
  return cipher.seal(channelKeyPlace(id), key)
}

/** Channels are found by their whole key, never by a part of it. */
export function hashKey({ cipher }: Pick<Store, 'cipher'>, key: string): string {
  return cipher.hash('channel', key)
}

export function openKey({ cipher }: Pick<Store, 'cipher'>, { id, key_sealed }: Sealed): string {
  if (key_sealed === '') return ''
  try {
    return cipher.open(channelKeyPlace(id), key_sealed)
  } catch (error) {
    log.error('the key of a channel cannot be opened', { channel: id, error })
    throw new AppError('channel.key-unreadable', {}, error)
  }
}

/**
 * The same key, sealed anew. Whoever keeps a channel in memory makes it anew when its row has changed, in every
 * process, and with that forgets which of its keys and models rest.
 */
export function sealAgain(store: Pick<Store, 'cipher'>, sealed: Sealed): string {
  try {
    return sealKey(store, sealed.id, openKey(store, sealed))
  } catch {
    return sealed.key_sealed
  }
}

/** The first of its keys, for what is bound to one account. */
export function firstKey(store: Pick<Store, 'cipher'>, sealed: Sealed): string {
  const text = openKey(store, sealed).trim()
  return text.startsWith('{') ? text : (text.split('\n', 1)[0] ?? '').trim()
}

/** Whether that is the only one. */
export function hasOneKey(store: Pick<Store, 'cipher'>, sealed: Sealed): boolean {
  return openKey(store, sealed).trim() === firstKey(store, sealed)
}

/** Refuses what cannot be a key of this type; every line is one, unless the whole is. */
export function checkKeyForm(type: number, text: string): void {
  checkKeySigns(type, text)
  const { keyForms, wholeKey } = channelTypeOf(type) ?? {}
  if (!keyForms) return
  const lines = text.split('\n').flatMap(line => line.trim() || [])
  const keys = wholeKey && text.trim().startsWith('{') ? [text.trim()] : lines
  if (keys.every(key => keyForms.some(({ fits }) => fits(key)))) return
  throw new AppError('channel.key-format', { form: keyForms.map(({ form }) => form).join(' / ') })
}

/** Refuses a key that is entered with what stood in front of it where it was copied from. */
export function refuseFront(type: number, text: string): void {
  const front = frontOfKeys(type, text)
  if (front !== undefined) throw new AppError('channel.key-front', { front })
}

/** Refuses what no request could carry; from the request itself nobody would learn that the key is to blame. */
export function checkKeySigns(type: number, text: string): void {
  const sign = unsendableIn(type, text)
  if (sign !== undefined) throw new AppError('channel.key-sign', { sign })
}
