/**
 * For a program whose own patience is not what a test is about: it waits for others that many milliseconds instead of so
 * many, which is more than a busy machine keeps anybody from an answer.
 */
export function morePatience(insteadOf: Readonly<Record<number, number>>): Record<string, string> {
  const preload = Bun.fileURLToPath(import.meta.resolve('./wait-longer.ts'))
  return { BUN_OPTIONS: `--preload=${preload}`, TOLLGATE_TEST_PATIENCE: JSON.stringify(insteadOf) }
}
