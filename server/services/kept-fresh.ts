interface Freshness {
  /** It is read this often at most, however many ask. */
  readonly freshMs: number
  /** What is older is not given any more. */
  readonly oldestMs?: number
}

/**
 * What takes long to read, and many want. While it is read anew, and when it cannot be, whoever asks gets what is
 * known, if anything is.
 */
export function keptFresh<T>(
  { freshMs, oldestMs = Number.POSITIVE_INFINITY }: Freshness,
  read: () => Promise<T>,
): () => Promise<T> {
  let known: { readonly value: T; readonly at: number } | undefined
  let reading: Promise<T> | undefined
  const readAnew = async (): Promise<T> => {
    try {
      const value = await read()
      known = { value, at: performance.now() }
      return value
    } finally {
      reading = undefined
    }
  }
  return async () => {
    const age = known ? performance.now() - known.at : Number.POSITIVE_INFINITY
    if (known && age < freshMs) return known.value
    reading ??= readAnew()
    if (!known || age > oldestMs) return reading
    reading.catch(() => {})
    return known.value
  }
}
