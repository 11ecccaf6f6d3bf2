import { expect, test } from 'bun:test'
import { cpuMicroseconds, processTree, readMemory, readStat } from './process-cost.ts'
import { runToEnd, start } from './running.ts'

const isLinux = process.platform === 'linux'

test('what is stopped is gone with all it started, even what ignores SIGTERM', async () => {
  if (!isLinux) return
  const child = 'trap "" TERM; echo up; while :; do sleep 0.1; done'
  const running = start(['sh', '-c', `sh -c '${child}' & wait`])
  while (!running.output().includes('up')) await Bun.sleep(5)
  const tree = processTree(running.pid)
  expect(tree.length).toBeGreaterThanOrEqual(2)
  const { rss, pss } = readMemory(running.pid)
  expect(rss).toBeGreaterThanOrEqual(pss)
  expect(pss).toBeGreaterThan(0)
  expect(cpuMicroseconds(running.pid)).toBeGreaterThanOrEqual(0)
  const loop = tree[1] ?? 0
  await running.stop()
  while (readStat(loop) && !isZombie(loop)) await Bun.sleep(5)
  expect(readStat(running.pid)).toBeUndefined()
})

test('a command that fails tells what it printed', async () => {
  expect(await runToEnd(['echo', 'fine'], 60_000)).toBe('fine\n')
  await expect(runToEnd(['sh', '-c', 'echo broken; exit 3'], 60_000)).rejects.toThrow(/ended with 3:\nbroken/)
})

/** Dead, but its new parent has not looked yet. */
function isZombie(pid: number): boolean {
  return Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
    .stdout.toString()
    .startsWith('Z')
}
