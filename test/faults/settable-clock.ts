import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshDataDir } from '../program.ts'

/** A program's clock that the test sets, by seconds. */
export function settableClock(): {
  environment: Record<string, string>
  set(seconds: number): Promise<void>
} {
  const file = join(freshDataDir(), 'clock')
  writeFileSync(file, '0')
  const preload = Bun.fileURLToPath(import.meta.resolve('./set-clock.ts'))
  return {
    environment: { BUN_OPTIONS: `--preload=${preload}`, TOLLGATE_TEST_CLOCK: file },
    async set(seconds) {
      // All at once: of a file that was emptied and not yet written, the program would read that its clock is right.
      writeFileSync(`${file}.next`, String(seconds * 1000))
      renameSync(`${file}.next`, file)
      await Bun.sleep(50)
    },
  }
}
