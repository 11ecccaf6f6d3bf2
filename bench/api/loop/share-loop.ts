import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../../rig/running.ts'
import { repository } from '../../rig/start-gateway.ts'

/** What the gateway's event loop was busy with for longest. */
export interface SharedLoop {
  /** What the gateway has to be started with. */
  readonly env: Record<string, string>
  /** Milliseconds, of all that was since it was last asked. */
  takeLongest(): number
}

export function shareLoop(): SharedLoop {
  const file = join(scratchFolder('loop'), 'longest')
  writeFileSync(file, new Uint8Array(Float64Array.BYTES_PER_ELEMENT))
  const shared = new Float64Array(Bun.mmap(file).buffer)
  const watcher = join(repository, 'bench', 'api', 'loop', 'watch-loop.ts')
  return {
    env: { BUN_OPTIONS: `--preload=${watcher}`, LOOP_FILE: file },
    takeLongest() {
      const [longest = 0] = shared
      shared[0] = 0
      return longest
    },
  }
}
