import type { EditBody, Edits } from '../../define.ts'

/** Several edits as one; each sees the body as those before it left it. */
export function editBody(...editors: readonly EditBody[]): EditBody {
  return (body, to, client) => {
    let edits: Edits | undefined
    let seen = body
    for (const edit of editors) {
      const more = edit(seen, to, client)
      if (more === undefined) continue
      edits = edits === undefined ? more : { ...edits, ...more }
      seen = { ...body, ...edits }
    }
    return edits
  }
}
