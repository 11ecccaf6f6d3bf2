import { asObject, type JsonObject } from '../../dialects/json.ts'
import type { TokenUsage } from '../../dialects/spec.ts'
import { asCount, usageOf } from '../kit/answers/count.ts'

/** A workflow tells only how many tokens it took in all; its nodes tell which. */
export class NodeTokens {
  #input = 0
  #output = 0

  add(node: JsonObject): void {
    const usage = asObject(asObject(node.outputs)?.usage) ?? asObject(asObject(node.process_data)?.usage)
    const counted = usageOf(usage?.prompt_tokens, usage?.completion_tokens)
    this.#input += counted?.input ?? 0
    this.#output += counted?.output ?? 0
  }

  /** Undefined when no node told: then it is counted here. What no node told of counts as input. */
  of(total: unknown): TokenUsage | undefined {
    if (this.#input + this.#output === 0) return undefined
    const output = this.#output
    return { input: Math.max(this.#input, (asCount(total) ?? 0) - output), output }
  }
}
