/** The composition root: a supervisor, with the argument `worker` one of its workers, or a command. */

import { CannotStart } from './cannot-start.ts'
import { describeDatabase, type Env, EnvError, explainVariables, readEnv } from './env.ts'
import { configureLog, describeError } from './log.ts'
import { isOneFile } from './one-file.ts'
import { exitCodes } from './process-messages.ts'
import { secretKey } from './secret-key.ts'
import { cannotReadOn } from './start-problems.ts'
import { version } from './version.ts'

const [role, ...rest] = process.argv.slice(2)

const USAGE = `Tollgate ${version}: a relay gateway for AI model APIs, with the console that runs it.

  (no command)         serves; the environment says where and on which database
  audit                proves the books of the database
  backup <folder>      copies the SQLite database and its key, also while it is in use
  import <database>    takes over what one-api, new-api or LiteLLM has, or the models of LiteLLM's config.yaml
  health               whether the program on PORT is alive, as the exit code
  --version, --help

Read from the environment: PORT (3000), HOST (0.0.0.0), DATA_DIR (data), DATABASE_URL (SQLite in DATA_DIR),
DATABASE_CONNECTIONS, REDIS_URL, WORKERS (1), BODY_MEMORY, SECRET_KEY, ROOT_PASSWORD, TRUSTED_PROXIES,
SHUTDOWN_DELAY (0), GENERATE_DEFAULT_TOKEN (false), LOG_LEVEL (info), and OTEL_EXPORTER_OTLP_ENDPOINT with the others of OpenTelemetry.
`

try {
  if (role === '--version' || role === '-v') tell(`${version}\n`)
  if (role === '--help' || role === '-h' || role === 'help') tell(USAGE)
  if (role !== undefined && !['worker', 'audit', 'backup', 'import', 'health'].includes(role))
    throw new EnvError([
      `"${role}" is no command; there are: audit, backup <folder>, import <database>, health, --help`,
    ])
  const env = readEnv()
  if (role === 'health') process.exit(await (await import('./health-command.ts')).askHealth(env))
  const { secret, dropIfNew } = secretKey(env.secretKey, env.dataDir)
  configureLog({
    level: env.logLevel,
    worker: role === 'worker' ? (rest[0] ?? '0') : (role ?? 'supervisor'),
    secrets: [secret, env.rootPassword, ...Object.values(env.otel?.headers ?? {})],
  })
  // Each role loads only what it needs: a supervisor that carried the whole product would double its memory.
  if (role === 'worker') await runWorker(env, secret)
  else {
    const code = await run(env, secret).catch(explain)
    if (code === exitCodes.otherSecretKey) dropIfNew()
    process.exit(code === exitCodes.otherSecretKey ? exitCodes.configuration : code)
  }
} catch (error) {
  process.exit(explain(error))
}

async function run(env: Env, secret: string): Promise<number> {
  if (role === 'audit') return (await import('./audit-command.ts')).runAudit(env, secret)
  if (role === 'backup') return (await import('./backup-command.ts')).runBackup(env, secret, rest)
  if (role === 'import') return (await import('./import-command.ts')).runImport(env, secret, rest)
  return supervise(env)
}

/** What is damaged further in, or leaves after it was reached, is the database's fault as much as before. */
async function runWorker(env: Env, secret: string): Promise<void> {
  const { runWorker: run } = await import('./worker.ts')
  await run(env, secret, rest[1]).catch(error => {
    throw cannotReadOn(env, error, 'the database cannot be used')
  })
}

function tell(text: string): never {
  process.stdout.write(text)
  process.exit(0)
}

async function supervise(env: Env): Promise<number> {
  const { Supervisor } = await import('./supervisor.ts')
  // Compiled into one file the program is its own interpreter; otherwise the interpreter needs this file.
  const command = isOneFile ? [process.execPath] : [process.execPath, import.meta.path]
  return new Supervisor(env, command, ({ port, setupToken, migrated }) => {
    const host = env.host === '0.0.0.0' || env.host === '::' ? 'localhost' : env.host
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
    const lines = [
      `Tollgate ${version} is listening on ${address}`,
      `  data      ${env.dataDir}`,
      `  database  ${describeDatabase(env)}${migrated.length > 0 ? ' (brought up to date)' : ''}`,
    ]
    for (const note of explainVariables()) lines.push(`  note      ${note}`)
    if (setupToken) lines.push(`  set-up    ${address}/setup?token=${setupToken}`)
    process.stdout.write(`${lines.join('\n')}\n`)
  }).run()
}

/** One clear line for what the operator can mend, the whole story for what they cannot. */
function explain(error: unknown): number {
  if (error instanceof EnvError) {
    process.stderr.write(
      `Tollgate cannot start:\n${error.problems.map(problem => `  ${problem}`).join('\n')}\n`,
    )
    return exitCodes.configuration
  }
  if (error instanceof CannotStart) {
    process.stderr.write(`Tollgate cannot start: ${error.message}\n`)
    return error.exitCode
  }
  process.stderr.write(`Tollgate cannot start: ${describeError(error)}\n`)
  return exitCodes.configuration
}
