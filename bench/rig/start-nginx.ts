import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { needProgram } from '../../test/services/find-program.ts'
import { freePort } from '../../test/services/free-port.ts'
import { type Running, scratchFolder, start, untilAnswers } from './running.ts'

interface Plan {
  /** What goes into the server block. */
  readonly locations: string
  /** What goes beside the server block. */
  readonly upstreams?: string
  /** Static files by name, under the root of the server block. */
  readonly files?: Record<string, string>
  readonly core: number
}

/** One nginx worker on a loopback port, tuned as one would for a comparison: no log, files kept open. */
export async function startNginx(plan: Plan): Promise<Running & { url: string }> {
  const { files = {}, core } = plan
  const folder = scratchFolder('nginx')
  // Started by root, the worker is another user.
  chmodSync(folder, 0o755)
  const port = await freePort()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const config = join(folder, 'nginx.conf')
  writeFileSync(config, configText(folder, port, plan))
  const running = start([needProgram('nginx'), '-e', 'stderr', '-p', folder, '-c', config], { core })
  const url = `http://127.0.0.1:${port}`
  await untilAnswers(running, `${url}/nginx-is-up`, 5000)
  return { ...running, url }
}

function configText(folder: string, port: number, { locations, upstreams = '' }: Plan): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr warn;
events { worker_connections 4096; multi_accept on; }
http {
  ${temporary.map(name => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  access_log off;
  sendfile on;
  tcp_nopush on;
  open_file_cache max=100 inactive=1h;
  open_file_cache_valid 1h;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  ${upstreams}
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    location = /nginx-is-up { return 200; }
    ${locations}
  }
}
`
}
