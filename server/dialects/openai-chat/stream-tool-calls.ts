import { asObject, asText, type Json, parseObject } from '../json.ts'
import type { Signature, StreamPart } from '../spec.ts'
import { readGoogleSignature } from './google-signature.ts'
import { makeCallId } from './make-ids.ts'
import { readInput } from './read-messages.ts'

interface Call {
  readonly index: number
  /** As the vendor named it; '' when it did not. */
  id: string
  name: string
  input: string
  signature: Signature | undefined
  state: 'waiting' | 'open' | 'ended'
}

type Emit = (part: StreamPart) => void

/** Puts together the calls of a stream: by index, by id where a vendor gives none, else the last one. */
export class StreamToolCalls {
  readonly #calls: Call[] = []
  readonly #byIndex = new Map<number, Call>()
  readonly #byId = new Map<string, Call>()
  /** Open ones that were given input since all were last looked at. */
  readonly #grown = new Set<Call>()

  /** Whether the answer called anything. */
  get any(): boolean {
    return this.#calls.some(call => call.state !== 'waiting')
  }

  read(value: Json, emit: Emit): void {
    const entry = asObject(value)
    if (entry === undefined) return
    const called = asObject(entry.function)
    const id = asText(entry.id) ?? ''
    const name = asText(called?.name) ?? ''
    const call = this.#find(typeof entry.index === 'number' ? entry.index : undefined, id, name)
    if (call.state === 'ended') return
    if (call.id === '') this.#name(call, id)
    const input = readInput(called?.arguments)
    if (call.state === 'waiting') {
      if (call.name === '') call.name = name
      const signature = readGoogleSignature(entry)
      if (signature !== undefined) call.signature = { by: 'gemini', value: signature }
      call.input += input
      if (call.name !== '') this.#open(call, emit)
    } else if (input !== '') {
      call.input += input
      this.#grown.add(call)
      emit({ type: 'tool-input-delta', index: call.index, json: input })
    }
  }

  closeAll(emit: Emit): void {
    for (const call of this.#calls) this.#close(call, emit)
  }

  /** Some vendors number all calls 0: another id together with a name is another call. */
  #find(index: number | undefined, id: string, name: string): Call {
    const known = index === undefined ? this.#findWithoutIndex(id, name) : this.#byIndex.get(index)
    if (known !== undefined && (id === '' || name === '' || known.id === '' || known.id === id)) return known
    const call: Call = {
      index: this.#calls.length,
      id: '',
      name: '',
      input: '',
      signature: undefined,
      state: 'waiting',
    }
    this.#calls.push(call)
    if (index !== undefined) this.#byIndex.set(index, call)
    this.#name(call, id)
    return call
  }

  #name(call: Call, id: string): void {
    call.id = id
    if (id !== '' && !this.#byId.has(id)) this.#byId.set(id, call)
  }

  #findWithoutIndex(id: string, name: string): Call | undefined {
    if (id !== '') return this.#byId.get(id)
    return name === '' ? this.#calls.at(-1) : undefined
  }

  #open(call: Call, emit: Emit): void {
    // A call whose input is not whole yet may still go on beside the new one.
    for (const other of this.#grown) if (parseObject(other.input) !== undefined) this.#close(other, emit)
    this.#grown.clear()
    call.state = 'open'
    if (call.id === '') this.#name(call, makeCallId())
    emit({ type: 'tool-start', index: call.index, id: call.id, name: call.name, signature: call.signature })
    if (call.input === '') return
    this.#grown.add(call)
    emit({ type: 'tool-input-delta', index: call.index, json: call.input })
  }

  #close(call: Call, emit: Emit): void {
    if (call.state === 'open') emit({ type: 'tool-end', index: call.index })
    if (call.state !== 'waiting') call.state = 'ended'
  }
}
