const LATEST = 500

/** When the page has nothing better to do, or soon. Answers with how to call it off; what fails stays undone. */
export function whenIdle(act: () => Promise<void>): () => void {
  const run = () => {
    act().catch(() => {})
  }
  // Safari has no idle callbacks yet.
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run, 1)
    return () => clearTimeout(timer)
  }
  const handle = requestIdleCallback(run, { timeout: LATEST })
  return () => cancelIdleCallback(handle)
}
