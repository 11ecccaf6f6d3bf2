import { join } from 'node:path'
import { type Client, rootClient } from '../../test/client.ts'
import { ROOT_PASSWORD } from '../../test/program.ts'
import { freePort } from '../../test/services/free-port.ts'
import { type Running, scratchFolder, start, untilAnswers } from './running.ts'

export const repository = join(import.meta.dir, '..', '..')

export interface Gateway extends Running {
  readonly url: string
  readonly root: Client
}

/** The program with an empty data folder and its rate limits off, as a load test needs it. */
export async function startGateway(options: {
  core?: number
  env?: Record<string, string>
}): Promise<Gateway> {
  const port = await freePort()
  const running = start([process.execPath, 'server/main.ts'], {
    cwd: repository,
    ...(options.core !== undefined && { core: options.core }),
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: scratchFolder('data'),
      ROOT_PASSWORD,
      ...options.env,
    },
  })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(running, `${url}/readyz`, 20_000)
  const root = await rootClient(url)
  const saved = await root.saveOption('GlobalApiRateLimit', '0')
  if (!saved.json?.success) throw new Error(`The rate limit could not be switched off: ${saved.text}`)
  return { ...running, url, root }
}
