interface Issued {
  readonly model: string
  readonly text: string
}

/** What the vendor signed; only that may come back, and unchanged. */
export class Signatures {
  readonly #issued = new Map<string, Issued>()

  issue(model: string, text: string): string {
    const number = String(this.#issued.size + 1).padStart(6, '0')
    const signature = Buffer.from(`signature ${number} of ${model} ${'~'.repeat(48)}`).toString('base64')
    this.#issued.set(signature, { model, text })
    return signature
  }

  find(signature: string): Issued | undefined {
    return this.#issued.get(signature)
  }
}
