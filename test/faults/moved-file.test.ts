import { expect, test } from 'bun:test'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openProgram } from '../open-program.ts'
import { freshDataDir, until } from '../program.ts'
import { openHouse } from './house.ts'
import { makeCall } from './load.ts'

const NOT_THE_FILE = /is not the file that was opened.*Put that back, or stop the program/

async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/readyz`)).status
}

test('a database that is moved away under calls takes none of them, and all that was used is paid when it is back', async () => {
  const folder = freshDataDir()
  const path = join(folder, 'tollgate.db')
  const house = await openHouse(`sqlite:${path}`, { dataDir: folder })
  try {
    const gateway = await house.start()
    const load = house.load(gateway)
    for (const part of ['', '-wal']) {
      load.start(10)
      const before = load.sights.length
      await until(() => load.sights.slice(before).some(({ done }) => done))
      renameSync(path + part, `${path}.away`)
      await until(() => load.sights.slice(before).some(({ refused }) => refused === 503))
      await until(async () => (await readiness(gateway.url)) === 503)
      renameSync(`${path}.away`, path + part)
      await until(async () => (await readiness(gateway.url)) === 200)
      await load.stop()
      expect(await house.faults(load.sights, { unharmed: true })).toEqual([])
    }
    const after = await makeCall(gateway, { id: 'after', payer: house.payers[0], tokens: 9, most: 9 })
    expect(after.done).toBe(true)
  } finally {
    await house.close()
  }
})

test('nothing is taken for kept that is written into a file which is replaced or deleted, and why is told', async () => {
  for (const does of ['replace', 'delete'] as const) {
    const { program, root, close } = await openProgram()
    const path = join(program.dataDir, 'tollgate.db')
    if (does === 'replace') {
      copyFileSync(path, `${path}.backup`)
      renameSync(`${path}.backup`, path)
    } else rmSync(path)
    // Each thread that has looked a moment ago looks again in another, and from then on at every call.
    const write = async () => (await root.saveOption('Footer', 'written into nowhere')).status
    const read = async () => (await root.get('/api/user/self')).status
    for (const ask of [write, read, () => readiness(program.url)]) {
      await until(async () => (await ask()) === 503)
      expect(await ask()).toBe(503)
    }
    await until(() => NOT_THE_FILE.test(program.output()))
    await close()
  }
})
