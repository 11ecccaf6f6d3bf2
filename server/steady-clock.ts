/** Never ahead of the time that has really passed since it was made; behind, where the clock was set back. */
export function steadyClock(
  now: () => number,
  elapsedMs: () => number = () => performance.now(),
): () => number {
  const began = now()
  const beganMs = elapsedMs()
  return () => Math.min(now(), began + Math.floor((elapsedMs() - beganMs) / 1000))
}
