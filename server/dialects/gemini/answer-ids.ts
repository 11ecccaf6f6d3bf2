/** Call ids are sent on to vendors that take at most 40 characters of this alphabet. */
const FIT = /^[A-Za-z0-9_-]{1,28}$/

/** Gives calls their ids where the upstream gave none; no two answers share one. */
export class AnswerIds {
  #base: string
  #count = 0

  constructor(responseId: string | undefined) {
    this.#base = responseId !== undefined && FIT.test(responseId) ? responseId : createAnswerId()
  }

  next(): string {
    this.#count += 1
    return `call_${this.#base}_${this.#count}`
  }
}

export function createAnswerId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 22)
}
