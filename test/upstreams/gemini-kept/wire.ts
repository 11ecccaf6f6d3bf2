/** One request as the stand-in saw it. */
export interface Asked {
  readonly way: string
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** The key that it came with. */
  readonly account: string
  readonly bytes: Uint8Array
  readonly json: Record<string, unknown>
}

export type Told = Omit<Asked, 'bytes'>

/** A refusal in Google's form; what is asked wrongly is also a complaint. */
export class Wrong extends Error {
  readonly #status: number
  readonly #word: string
  constructor(status: number, word: string, message: string) {
    super(message)
    this.#status = status
    this.#word = word
  }

  answer(): Response {
    const error = { code: this.#status, message: this.message, status: this.#word }
    return Response.json({ error }, { status: this.#status })
  }
}

export const invalid = (message: string): Wrong => new Wrong(400, 'INVALID_ARGUMENT', message)
export const denied = (message: string): Wrong => new Wrong(403, 'PERMISSION_DENIED', message)

/** Fields that the vendor does not know are a mistake of whoever sends them. */
export function onlyFields(json: Record<string, unknown>, known: readonly string[]): void {
  for (const field of Object.keys(json))
    if (!known.includes(field)) throw invalid(`Invalid JSON payload received. Unknown name "${field}"`)
}

/** The files that contents name. */
export function urisIn(contents: unknown): string[] {
  const parts = (contents as { parts?: Record<string, unknown>[] }[] | undefined)?.flatMap(
    content => content.parts ?? [],
  )
  if (!parts || parts.length === 0) throw invalid('contents is not specified')
  return parts.flatMap(({ fileData }) => (fileData ? [(fileData as { fileUri: string }).fileUri] : []))
}
