import { afterAll, describe, expect, test } from 'bun:test'
import { closeSync, existsSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { endTimes } from '../server/process-messages.ts'
import { Client, rootClient } from './client.ts'
import { morePatience } from './more-patience.ts'
import {
  COMMAND,
  childrenOf,
  freshDataDir,
  type Program,
  ROOT_PASSWORD,
  spawnProgram,
  startProgram,
  until,
  withProgram,
} from './program.ts'
import { dropAll, engines, startMariadb, startPostgres } from './services/databases.ts'
import { freePort } from './services/free-port.ts'

afterAll(dropAll)

const healthy = (url: string) =>
  fetch(`${url}/readyz`).then(
    response => response.status === 200,
    () => false,
  )

describe('processes', () => {
  test('a worker killed with -9 is back, on the same port, and sessions outlive it', async () => {
    const PORT = String(await freePort())
    await withProgram({ ROOT_PASSWORD, PORT }, async program => {
      const root = await rootClient(program.url)
      for (let round = 0; round < 2; round++) {
        const [worker] = program.workerPids()
        if (worker) process.kill(worker, 'SIGKILL')
        await until(async () => !program.workerPids().includes(worker ?? 0) && (await healthy(program.url)))
        expect((await root.get('/api/user/self')).json.data.username).toBe('root')
      }
      expect(program.output()).toContain('a worker died and is started again')
      await until(async () =>
        (await root.get('/metrics')).text.includes('tollgate_worker_restarts_total{worker="supervisor"} 2'),
      )
    })
  })

  test('a worker that hangs, busy or stopped, is killed and replaced', async () => {
    const preload = Bun.fileURLToPath(import.meta.resolve('./hang-workers.ts'))
    const PORT = String(await freePort())
    await withProgram({ ROOT_PASSWORD, PORT, BUN_OPTIONS: `--preload=${preload}` }, async program => {
      const root = await rootClient(program.url)
      for (const hang of ['SIGUSR2', 'SIGSTOP'] as const) {
        const [worker] = program.workerPids()
        if (worker) process.kill(worker, hang)
        await until(() => !program.workerPids().includes(worker ?? 0))
        // On a busy machine so little patience may end another one first.
        await until(async () => {
          const answer = await root.get('/api/user/self').catch(() => undefined)
          return answer?.json?.data?.username === 'root'
        })
      }
      expect(program.output()).toContain('a worker hangs and is killed')
      const told = await until(async () => (await root.get('/metrics').catch(() => undefined))?.text)
      const hangs = /^tollgate_worker_hangs_total\{worker="supervisor"\} (\d+)$/m.exec(told)?.[1]
      expect(Number(hangs)).toBeGreaterThanOrEqual(2)
    })
  })

  test('SIGTERM lets a request under way finish, takes no new one, and exits 0', async () => {
    const program = await startProgram({ ROOT_PASSWORD })
    const { port } = new URL(program.url)
    const body = JSON.stringify({ username: 'root', password: ROOT_PASSWORD })
    const socket = connect(Number(port), '127.0.0.1')
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    const closed = new Promise(resolve => socket.on('close', resolve))
    const head = `POST /api/user/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    socket.write(head + body.slice(0, 10))
    await until(async () => /in_flight\S* 2/.test(await (await fetch(`${program.url}/metrics`)).text()))
    program.kill('SIGTERM')
    await until(() =>
      fetch(`${program.url}/healthz`).then(
        () => false,
        () => true,
      ),
    )
    socket.write(body.slice(10))
    await closed
    expect(answer).toStartWith('HTTP/1.1 200')
    expect(answer).toContain('"success":true')
    expect(await program.exited).toBe(0)
  })

  test('with a delay a balancer hears first that it goes, and calls are taken until then', async () => {
    const program = await startProgram({ SHUTDOWN_DELAY: '8' })
    const before = await fetch(`${program.url}/readyz`)
    expect([before.status, before.headers.get('connection')]).toEqual([200, null])
    const told = performance.now()
    program.kill('SIGTERM')
    const leaving = await until(async () => {
      const answer = await fetch(`${program.url}/readyz`)
      return answer.status === 503 ? answer : undefined
    })
    expect(await leaving.text()).toBe('draining\n')
    // Kept connections are given up, so that the next call goes to another node.
    expect(leaving.headers.get('connection')).toBe('close')
    const call = () =>
      fetch(`${program.url}/api/status`).then(
        answer => answer.status,
        () => 0,
      )
    let served = 0
    for (;;) {
      // Several at once: on a slow machine there is time for few, one after the other.
      const statuses = await Promise.all([call(), call(), call(), call(), call(), call()])
      expect(statuses.filter(status => status !== 200 && status !== 0)).toEqual([])
      served += statuses.filter(status => status === 200).length
      if (statuses.includes(0)) break
      // Not so many in all that there are too many for one address.
      await Bun.sleep(250)
    }
    expect(served).toBeGreaterThan(5)
    expect(await program.exited).toBe(0)
    expect(performance.now() - told).toBeGreaterThan(8000)
  })

  test('a second signal ends the delay', async () => {
    const program = await startProgram({ SHUTDOWN_DELAY: '60' })
    program.kill('SIGTERM')
    await until(() => program.output().includes('a second signal cuts it off'))
    await Bun.sleep(1100)
    program.kill('SIGTERM')
    expect(await program.exited).toBe(0)
  })

  test('every worker tells the last audit, whoever made it, also after a restart', async () => {
    const DATA_DIR = freshDataDir()
    const figures = async (url: string): Promise<string[]> => {
      const text = await (await fetch(`${url}/metrics`)).text()
      return [...text.matchAll(/^tollgate_ledger_differences\{worker="\d"\} (\S+)$/gm)].map(
        ([, value]) => value ?? '',
      )
    }
    const expectFigures = (url: string, wanted: string[]) =>
      until(async () => (await figures(url)).join() === wanted.join())
    await withProgram({ DATA_DIR, ROOT_PASSWORD, WORKERS: '2' }, async program => {
      await expectFigures(program.url, ['-1', '-1'])
      const root = await rootClient(program.url)
      expect((await root.get('/api/ledger/audit')).json.success).toBe(true)
      await expectFigures(program.url, ['0', '0'])
    })
    await withProgram({ DATA_DIR }, async program => {
      await expectFigures(program.url, ['0'])
      const text = await (await fetch(`${program.url}/metrics`)).text()
      const at = Number(/^tollgate_ledger_audit_timestamp_seconds\{worker="0"\} (\S+)$/m.exec(text)?.[1])
      expect(Date.now() / 1000 - at).toBeWithin(0, 180)
    })
  })

  test('two workers share the port, and a change made through one is in force on the other', async () => {
    await withProgram({ ROOT_PASSWORD, WORKERS: '2' }, async program => {
      await until(() => program.workerPids().length === 2)
      const root = await rootClient(program.url)
      await root.saveOption('GlobalApiRateLimit', '0')
      const workersSeen = async () => {
        const text = await (await fetch(`${program.url}/metrics`)).text()
        return new Set(
          [...text.matchAll(/tollgate_process_resident_bytes\{worker="(\d)"\}/g)].map(match => match[1]),
        )
      }
      await until(async () => (await workersSeen()).size === 2)
      for (const name of ['First', 'Second', 'Third']) {
        await root.saveOption('SystemName', name)
        // Each request opens its own connection, so that both workers are asked.
        await until(async () => {
          const names = await Promise.all(
            Array.from({ length: 12 }, async () => {
              const response = await fetch(`${program.url}/api/status`, { keepalive: false })
              return ((await response.json()) as { data: { system_name: string } }).data.system_name
            }),
          )
          return names.every(seen => seen === name)
        })
      }
    })
  })

  test('a log that cannot be written takes no worker with it', async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const environment = {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: freshDataDir(),
      LOG_LEVEL: 'debug',
    }
    const full = openSync('/dev/full', 'w')
    const program = Bun.spawn([...COMMAND], { env: environment, stdout: full, stderr: full })
    try {
      await until(() => healthy(url))
      const workers = childrenOf(program.pid)
      for (let call = 0; call < 5; call++) {
        expect((await fetch(`${url}/api/status`, { keepalive: false })).status).toBe(200)
        await Bun.sleep(50)
      }
      expect(childrenOf(program.pid)).toEqual(workers)
    } finally {
      program.kill('SIGTERM')
    }
    expect(await program.exited).toBe(0)
    closeSync(full)
  })

  test('when the supervisor is killed its workers do not linger', async () => {
    const program = await startProgram()
    const workers = program.workerPids()
    expect(workers).toHaveLength(1)
    program.kill('SIGKILL')
    await until(() => workers.every(pid => !isAlive(pid)))
  })

  test.each([
    ['has hardly begun to start', () => true],
    ['is at its database', (dataDir: string) => existsSync(join(dataDir, 'tollgate.db'))],
  ] as const)('nor does one that %s', async (_when, isSo) => {
    const program = spawnProgram()
    const worker = await until(() => program.workerPids()[0])
    await until(() => isSo(program.dataDir))
    program.kill('SIGKILL')
    await until(() => !isAlive(worker))
    expect(program.output()).toBe('')
  })

  test('nor one that does not come to its end', async () => {
    const program = await startProgram(morePatience({ [endTimes.killMs]: 1000 }))
    const [worker = 0] = program.workerPids()
    const socket = connect(Number(new URL(program.url).port), '127.0.0.1')
    const closed = new Promise(resolve => socket.on('close', resolve))
    socket.write('POST /api/user/login HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{')
    await until(async () => /in_flight\S* 2/.test(await (await fetch(`${program.url}/metrics`)).text()))
    program.kill('SIGKILL')
    await until(() => !isAlive(worker))
    await closed
    // As it would have done in the end, after all the time that what is under way has.
    expect(program.output()).not.toContain('cut off')
  })
})

describe.each(engines.map(engine => [engine.name, engine] as const))('the program on %s', (_name, engine) => {
  test('two that start at once on an empty database both serve, migrate once, and agree', async () => {
    const DATABASE_URL = await engine.emptyUrl()
    const DATA_DIR = freshDataDir()
    const programs = await Promise.all(
      [1, 2].map(() => startProgram({ DATABASE_URL, DATA_DIR, ROOT_PASSWORD })),
    )
    try {
      const migrated = programs.filter(program => program.output().includes('(brought up to date)'))
      expect(migrated).toHaveLength(1)
      const [first, second] = programs as [Program, Program]
      const root = await rootClient(first.url)
      const elsewhere = new Client(second.url)
      elsewhere.cookie = root.cookie
      elsewhere.userId = root.userId
      expect((await elsewhere.get('/api/user/self')).json.data.username).toBe('root')
      await root.saveOption('SystemName', 'Both')
      await until(async () => (await elsewhere.get('/api/status')).json.data.system_name === 'Both')
    } finally {
      for (const program of programs) await program.stop()
    }
  })
})

describe.each([
  ['PostgreSQL', startPostgres],
  ['MariaDB', startMariadb],
] as const)('when %s goes away', (_name, startDatabase) => {
  test('callers get 503 with a clear error, and it recovers by itself', async () => {
    const database = await startDatabase()
    try {
      await withProgram({ DATABASE_URL: database.url, ROOT_PASSWORD }, async program => {
        const root = await rootClient(program.url)
        await root.saveOption('GlobalApiRateLimit', '0')
        await database.stop()
        const down = await until(async () => {
          const answer = await root.get('/api/user/self')
          return answer.status === 503 ? answer : undefined
        })
        expect(down.json).toEqual({ success: false, message: '数据库暂时不可用，请稍后重试', data: null })
        expect(down.headers.get('retry-after')).toBe('2')
        await until(async () => (await root.get('/readyz')).status === 503)
        expect((await root.get('/healthz')).status).toBe(200)
        expect((await root.get('/api/notice')).json.success).toBe(true)
        await until(() => program.output().includes('the database is out of reach'))
        await database.start()
        await until(async () => (await root.get('/api/user/self')).status === 200)
        // Ready again with the next write that gets through.
        await until(async () => (await root.get('/readyz')).status === 200)
        await root.saveOption('SystemName', 'Back')
        expect((await root.get('/api/status')).json.data.system_name).toBe('Back')
        expect(program.workerPids()).toHaveLength(1)
        expect(program.output()).not.toContain('a worker died')
        await until(() => program.output().includes('the database is back'))
        expect(program.output().match(/the database is out of reach/g)).toHaveLength(1)
        await database.stop()
        expect(await program.stop()).toBe(0)
      })
    } finally {
      await database.close()
    }
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
