import { refuseField } from '../refuse.ts'
import type { Message } from '../spec.ts'

export const TOOL_NAME = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/

export function checkToolName(name: string, field: string): string {
  if (TOOL_NAME.test(name)) return name
  return refuseField(field, 'field.tool-name-of-google')
}

/**
 * Finds the function that a result is of. Ids may come again in a later turn, so the calls are told in the
 * order of the conversation and the last one before the result counts.
 */
export class CallNames {
  readonly #names = new Map<string, string>()

  learn(message: Message): void {
    for (const part of message.parts) if (part.type === 'tool-call') this.#names.set(part.id, part.name)
  }

  find(callId: string): string {
    return this.#names.get(callId) ?? callId
  }
}
