import type { TokenUsage } from '../../dialects/spec.ts'
import type { Usage } from '../../ledger/price/price-snapshot.ts'

/** As a vendor told it or it was counted, to be charged at the prices of whenever it is given again. */
export type KeptUsage = { readonly told: TokenUsage } | { readonly charged: Usage }

/** A whole answer as its caller got it. */
export interface KeptAnswer {
  /** Seconds since 1970. */
  readonly madeAt: number
  readonly endsAt: number
  readonly type: string
  /** Which served it. */
  readonly group: string
  readonly usage: KeptUsage
  readonly body: Uint8Array<ArrayBuffer>
}

/** One that is given again: for the same question, or for one that is so like it. */
export interface FoundAnswer {
  readonly answer: KeptAnswer
  readonly similarity?: number
}

const LINE_END = 10

/** As bytes: what is told of it on one line, then itself. */
export function packAnswer({ body, ...head }: KeptAnswer): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body])
}

/** Nobody but this program can have written it: it was sealed. */
export function unpackAnswer(bytes: Buffer<ArrayBuffer>): KeptAnswer {
  const end = bytes.indexOf(LINE_END)
  const head = JSON.parse(bytes.toString('utf8', 0, end)) as Omit<KeptAnswer, 'body'>
  return { ...head, body: bytes.subarray(end + 1) }
}
