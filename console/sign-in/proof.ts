// Some calls want a proof of who is sitting there. Whoever makes one knows nothing of it: the call waits for the
// dialog, and is then made once more.

let asked: PromiseWithResolvers<boolean> | null = null
const listeners = new Set<() => void>()

/** Asks for a proof; resolves with whether it was given. Calls that want one at once share it. */
export function askForProof(): Promise<boolean> {
  if (asked) return asked.promise
  asked = Promise.withResolvers<boolean>()
  const { promise } = asked
  for (const listener of listeners) listener()
  return promise
}

export const proof = {
  isWanted: () => asked !== null,
  end(given: boolean) {
    asked?.resolve(given)
    asked = null
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
