/**
 * Gives the calls of one request their ids where the client sent none. A result without an id belongs to the
 * earliest call of that name that has no result yet.
 */
export class CallIds {
  #count = 0
  readonly #taken = new Set<string>()
  readonly #unanswered = new Map<string, string[]>()

  call(name: string, given: string | undefined): string {
    const id = given ?? this.#synthesise()
    this.#taken.add(id)
    const waiting = this.#unanswered.get(name)
    if (waiting) waiting.push(id)
    else this.#unanswered.set(name, [id])
    return id
  }

  answer(name: string, given: string | undefined): string {
    const waiting = this.#unanswered.get(name)
    if (given === undefined) return waiting?.shift() ?? this.#synthesise()
    const at = waiting?.indexOf(given) ?? -1
    if (at >= 0) waiting?.splice(at, 1)
    return given
  }

  #synthesise(): string {
    let id: string
    do {
      this.#count += 1
      id = `call_${this.#count}`
    } while (this.#taken.has(id))
    return id
  }
}
