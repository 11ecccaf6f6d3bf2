import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from './program.ts'
import { needProgram } from './services/find-program.ts'
import { freePort } from './services/free-port.ts'

const guide = readFileSync(join(import.meta.dir, '..', 'docs', 'operating', 'installing.md'), 'utf8')

export interface Nginx {
  /** Where clients call; its certificate is signed by itself. */
  readonly url: string
  readonly cert: string
  /** What it has written, complaints about buffering to disk among them. */
  output(): string
  stop(): Promise<void>
}

/** The example of the guide, word for word, but for its ports and where the certificate lies. */
export async function startNginx(programUrl: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-nginx-'))
  // Started by root, its workers are another user.
  chmodSync(folder, 0o755)
  makeCertificate(folder)
  const port = await freePort()
  const example = putIn(/```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? '', {
    'listen 443 ssl;': `listen 127.0.0.1:${port} ssl;`,
    '127.0.0.1:3000': new URL(programUrl).host,
    '/etc/ssl/gate.example.com.pem': join(folder, 'gate.pem'),
    '/etc/ssl/gate.example.com.key': join(folder, 'gate.key'),
  })
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, around(folder, example))
  const child = Bun.spawn([needProgram('nginx'), '-e', 'stderr', '-p', folder, '-c', config], {
    stdout: 'ignore',
    stderr: 'pipe',
  })
  let printed = ''
  const read = async (): Promise<void> => {
    for await (const bytes of child.stderr) printed += Buffer.from(bytes).toString()
  }
  const reading = read()
  const url = `https://localhost:${port}`
  const cert = readFileSync(join(folder, 'gate.pem'), 'utf8')
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}:\n${printed}`)
    return fetch(`${url}/healthz`, { tls: { ca: cert }, keepalive: false }).then(
      answer => answer.ok,
      () => false,
    )
  })
  return {
    url,
    cert,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      await reading
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Each of them stands in the example once. */
function putIn(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((so, [from, to]) => {
    if (so.split(from).length !== 2) throw new Error(`the example should say "${from}" once`)
    return so.replace(from, to)
  }, text)
}

function around(folder: string, example: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  ${temporary.map(name => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  access_log off;
  ${example}
}
`
}

function makeCertificate(folder: string): void {
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1']
  const out = ['-keyout', 'gate.key', '-out', 'gate.pem']
  const made = Bun.spawnSync(['openssl', 'req', ...kind, ...name, ...out], { cwd: folder, stderr: 'pipe' })
  if (made.exitCode !== 0) throw new Error(made.stderr.toString())
}
