import type { Kysely } from 'kysely'
import type { Cipher } from '../../store/cipher.ts'
import type { Schema } from '../../store/schema.ts'
import { signMonth } from './closed-months.ts'
import { monthStates } from './month.ts'

interface Broken {
  readonly subject: string
  readonly expected: number
  readonly found: number
}

/** Each has the hash of the one before and its own of all that it says; only the last may still be open. */
export async function checkClosedMonths(db: Kysely<Schema>, cipher: Cipher | undefined): Promise<Broken[]> {
  const months = await db.selectFrom('closed_months').selectAll().orderBy('month').execute()
  return months.flatMap((row, at) => {
    const isLast = at === months.length - 1
    const follows = row.previous_hash === (months[at - 1]?.hash ?? '')
    const isSigned =
      row.state === monthStates.closed
        ? row.hash !== '' && (!cipher || row.hash === signMonth(cipher, row))
        : isLast && row.hash === ''
    return follows && isSigned ? [] : [{ subject: row.month, expected: 1, found: 0 }]
  })
}
