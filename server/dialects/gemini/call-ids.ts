/**
 * Gives the calls of one request their ids where the client sent none. A result without an id belongs to the
 * earliest call of that name that has no result yet; so does one with an id that no call has, because clients
 * name results of calls that came without.
 */
export class CallIds {
  #count = 0
  readonly #taken = new Set<string>()
  /** By name, the earliest first. */
  readonly #unanswered = new Map<string, Set<string>>()

  call(name: string, given: string | undefined): string {
    const id = given ?? this.#synthesise()
    this.#taken.add(id)
    const waiting = this.#unanswered.get(name)
    if (waiting) waiting.add(id)
    else this.#unanswered.set(name, new Set([id]))
    return id
  }

  answer(name: string, given: string | undefined): string {
    const waiting = this.#unanswered.get(name)
    const known = given !== undefined && this.#taken.has(given) ? given : undefined
    const id = known ?? waiting?.values().next().value ?? given ?? this.#synthesise()
    waiting?.delete(id)
    return id
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
