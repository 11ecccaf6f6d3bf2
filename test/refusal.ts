import { expect } from 'bun:test'
import { spawnProgram } from './program.ts'

/** What a start that must fail has to say: to the operator, and without a word of where in the code it was. */
export async function refusal(
  environment: Record<string, string>,
  command: readonly string[] = [],
): Promise<string> {
  const program = spawnProgram(environment, command)
  expect(await program.exited).toBe(78)
  expect(program.output()).not.toMatch(/^\s+at /m)
  return program.output().trim()
}
