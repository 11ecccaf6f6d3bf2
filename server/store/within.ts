/** Waits no longer than this. What comes later is told to `onLate`; that it failed then is no news. */
export async function within<T>(ms: number, work: Promise<T>, onLate?: (answer: T) => void): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`no answer within ${ms} ms`))
    work.then(onLate, () => {})
  }, ms)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
