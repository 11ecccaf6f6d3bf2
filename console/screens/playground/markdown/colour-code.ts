import { whenIdle } from './when-idle.ts'

/**
 * Colours change no line's place: they may come a moment later, between two pieces of an answer. Answers with how to
 * call it off.
 */
export function colourCode(host: Element, text: string, language: string): () => void {
  let isStale = false
  const cancel = whenIdle(async () => {
    const { highlight } = await import('./highlight.ts')
    const coloured = isStale ? undefined : highlight(text, language.toLowerCase())
    if (coloured) host.replaceChildren(coloured)
  })
  return () => {
    isStale = true
    cancel()
  }
}
