// Loaded into the gateway before its own code: tells how long its event loop was busy at one go, through memory that the
// rig shares with it. An answer to a question would come too late, and take its own time.
//   BUN_OPTIONS=--preload=bench/api/loop/watch-loop.ts LOOP_FILE=/tmp/… npm start

import { openSync, readSync } from 'node:fs'

const file = process.env.LOOP_FILE
// Not the supervisor, which relays nothing.
if (file && process.argv.includes('worker')) watch(new Float64Array(Bun.mmap(file).buffer))

/** By processor time and not by the clock: what others on this machine take is none of its doing. */
function watch(shared: Float64Array): void {
  const stat = openSync('/proc/thread-self/schedstat', 'r')
  const bytes = new Uint8Array(64)
  const usedMs = (): number => {
    const many = readSync(stat, bytes, 0, bytes.length, 0)
    return Number.parseInt(new TextDecoder().decode(bytes.subarray(0, many)), 10) / 1e6
  }
  let last = usedMs()
  setInterval(() => {
    const used = usedMs()
    if (used - last > (shared[0] ?? 0)) shared[0] = used - last
    last = used
  }, 1).unref()
}
