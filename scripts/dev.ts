// npm run dev: the gateway, started again on every change, and the console with hot reload beside it.

import { join } from 'node:path'
import { readEnv } from '../server/env.ts'
import { Supervisor } from '../server/supervisor.ts'

const root = join(import.meta.dir, '..')
const env = readEnv()

const gateway = [process.execPath, '--watch', '--no-clear-screen', join(root, 'server/main.ts')]
const supervisor = new Supervisor(env, gateway, ({ port, setupToken }) => {
  const lines = [
    'Console with hot reload  http://localhost:5173',
    `Gateway                  http://localhost:${port}`,
    ...(setupToken ? [`Set-up                   http://localhost:5173/setup?token=${setupToken}`] : []),
  ]
  console.log(lines.join('\n'))
})

const vite = ['node_modules/vite/bin/vite.js', '--clearScreen', 'false', '--logLevel', 'warn']
const hotConsole = Bun.spawn([process.execPath, ...vite], {
  cwd: root,
  env: { ...process.env, PORT: String(env.port) },
  stdio: ['ignore', 'inherit', 'inherit'],
  // One without the other is of no use: either end takes the other along.
  onExit: () => {
    process.emit('SIGTERM')
  },
})

const code = await supervisor.run()
hotConsole.kill()
await hotConsole.exited
process.exit(code)
