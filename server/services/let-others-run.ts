/** Whoever works through thousands of rows stops now and then: every stream of this process waits meanwhile. */
export function letOthersRun(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
