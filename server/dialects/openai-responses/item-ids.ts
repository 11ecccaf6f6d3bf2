/** Whether an item was named below: the vendor's own names have one `_`. */
export function isOwnId(id: string): boolean {
  return /^[a-z]+_.+_\d+$/s.test(id)
}

/** Names for a response and its items. Clients refuse a stream in which two items or calls share a name. */
export class ItemIds {
  readonly response: string
  readonly #seed: string
  readonly #calls = new Set<string>()

  constructor(upstreamId: string) {
    const id = upstreamId === '' ? crypto.randomUUID().replaceAll('-', '') : upstreamId
    this.#seed = id.startsWith('resp_') ? id.slice(5) : id
    this.response = `resp_${this.#seed}`
  }

  nameItem(prefix: 'msg' | 'fc' | 'ctc' | 'tsc' | 'rs' | 'ig', outputIndex: number): string {
    return `${prefix}_${this.#seed}_${outputIndex}`
  }

  nameCall(id: string, outputIndex: number): string {
    const own = id === '' || this.#calls.has(id) ? `call_${this.#seed}_${outputIndex}` : id
    this.#calls.add(own)
    return own
  }
}
