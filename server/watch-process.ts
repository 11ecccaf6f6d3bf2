import { gauge } from './metrics.ts'
import { version } from './version.ts'

const EVERY_MS = 200
/** The worst of this half minute and of the one before is told: two who ask do not take it from each other. */
const SPAN_MS = 30_000

/** Figures of the process itself; how late timers fire is the one that tells whether something blocks the loop. */
export function watchProcess(): void {
  let last = performance.now()
  let spanBegan = last
  let worst = 0
  let worstBefore = 0
  setInterval(() => {
    const at = performance.now()
    if (at - spanBegan > SPAN_MS) {
      worstBefore = worst
      worst = 0
      spanBegan = at
    }
    worst = Math.max(worst, at - last - EVERY_MS)
    last = at
  }, EVERY_MS).unref()
  const startedAt = Math.floor(Date.now() / 1000)
  gauge(
    'tollgate_event_loop_delay_seconds',
    'Worst delay of a timer within the last half minute to minute.',
    () => Math.round(Math.max(worst, worstBefore) * 10) / 10_000,
  )
  gauge('tollgate_process_resident_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  gauge('tollgate_process_start_time_seconds', 'When the process started.', () => startedAt)
  gauge('tollgate_build_info', 'The version that runs.', () => 1, { version })
}
