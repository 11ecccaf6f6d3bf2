import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { type Client, rootClient } from './client.ts'
import { type Program, preparedDataDir, ROOT_PASSWORD, startProgram } from './program.ts'

export interface OpenProgram {
  readonly program: Program
  readonly database: Database
  readonly root: Client
  close(): Promise<void>
}

/** The program with its super administrator logged in, no limits on calls, and a door into its database. */
export async function openProgram(environment: Record<string, string> = {}): Promise<OpenProgram> {
  const program = await startProgram({ ROOT_PASSWORD, DATA_DIR: await preparedDataDir(), ...environment })
  const database = new Database(join(program.dataDir, 'tollgate.db'))
  database.exec('pragma busy_timeout = 60000')
  const root = await rootClient(program.url)
  await root.liftLimits()
  const close = async (): Promise<void> => {
    database.close()
    await program.stop()
  }
  return { program, database, root, close }
}
