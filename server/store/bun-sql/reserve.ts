import type { SQL } from 'bun'
import { unavailable } from '../store-error.ts'
import { translateError } from './translate-error.ts'

export type Reserved = Awaited<ReturnType<SQL['reserve']>>

/** A connection for one's own, or the error that none became free in time. */
export async function reserve(sql: SQL, withinMs: number): Promise<Reserved> {
  const reserving = sql.reserve()
  const { promise: late, reject } = Promise.withResolvers<never>()
  const alarm = setTimeout(() => {
    reject(unavailable(new Error('no connection to the database became free')))
    // Should one come after all, it goes back.
    reserving.then(connection => connection.release()).catch(() => {})
  }, withinMs)
  try {
    return await Promise.race([reserving, late])
  } catch (error) {
    throw translateError(error)
  } finally {
    clearTimeout(alarm)
  }
}
