import { refuseField } from '../dialects/refuse.ts'

/** Which of a list are wanted, as OpenAI's clients ask for them. */
export interface Page {
  readonly limit: number
  /** The last that the client has. */
  readonly after: string | null
  /** The oldest first. */
  readonly isRising: boolean
}

export function readPage(query: URLSearchParams, usual: number, most: number): Page {
  return {
    limit: readLimit(query.get('limit'), usual, most),
    after: readSought(query, 'after'),
    isRising: query.get('order') === 'asc',
  }
}

/** What is looked for. None of ours has a NUL, and not every database can be asked for one. */
export function readSought(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (text?.includes('\0')) refuseField(name, 'field.no-nul')
  return text
}

export function readLimit(text: string | null, usual: number, most: number): number {
  if (text === null) return usual
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= most) return limit
  refuseField('limit', 'field.whole-within', { least: 1, most })
}

/** Of one row more than fits: whether there are others is seen by it. */
export function showPage<Row>(
  found: readonly Row[],
  { limit }: Page,
  show: (row: Row) => { readonly id?: unknown },
): Response {
  const data = found.slice(0, limit).map(show)
  return Response.json({
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: found.length > limit,
  })
}
