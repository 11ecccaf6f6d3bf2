import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { within } from './within.ts'

/** Told by the system: of a child's end this process knows nothing while it stands still. */
const hasEnded = (pid: number): boolean => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

test('who does not answer is not waited for, and is heard when the answer comes after all', async () => {
  const late = Promise.withResolvers<string>()
  const heard: string[] = []
  const waiting = within(20, late.promise, answer => heard.push(answer))
  await expect(waiting).rejects.toThrow('no answer within 20 ms')
  late.resolve('here')
  await Bun.sleep(0)
  expect(heard).toEqual(['here'])
})

test('an answer that came while this process stood still came in time', async () => {
  const other = Bun.spawn(['sh', '-c', 'sleep 0.1; echo here'], { stdout: 'pipe' })
  const answer = within(200, new Response(other.stdout).text())
  Bun.sleepSync(600)
  while (!hasEnded(other.pid)) Bun.sleepSync(20)
  expect(await answer).toBe('here\n')
})
