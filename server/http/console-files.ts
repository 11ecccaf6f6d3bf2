import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { embeddedConsole } from './embedded-console.ts'
import { newNonce, type PageHosts, pagePolicy } from './security-headers.ts'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** What a screen's address can look like: plain segments and no file name, so that a stray path is a plain 404. */
const screenPath = /^\/(?!assets\/)([\w-]+(\/[\w-]+)*\/?)?$/

interface ConsoleFile {
  readonly type: string
  readonly plain: string
  readonly br: string | undefined
  readonly gzip: string | undefined
  readonly immutable: boolean
  readonly etag: string
}

/** The built console: every file known by name beforehand, so that a path can never reach another one. */
export class ConsoleFiles {
  readonly #files = new Map<string, ConsoleFile>()
  readonly #page: readonly string[]
  readonly #hosts: () => PageHosts

  /** `hosts`: whose scripts and frames the page may have, as the settings of the moment have it. */
  constructor(folder: string, hosts: () => PageHosts) {
    this.#hosts = hosts
    const paths = embeddedConsole ?? filesBelow(folder)
    for (const [name, path] of Object.entries(paths)) {
      if (name.endsWith('.br') || name.endsWith('.gz') || name.startsWith('.')) continue
      this.#files.set(`/${name}`, {
        type: types[extname(name)] ?? 'application/octet-stream',
        plain: path,
        br: paths[`${name}.br`],
        gzip: paths[`${name}.gz`],
        immutable: name.startsWith('assets/'),
        etag: `"${Bun.hash(`${name}:${Bun.file(path).size}:${modified(path)}`).toString(36)}"`,
      })
    }
    const page = this.#files.get('/index.html')
    this.#page = page ? readFileSync(page.plain, 'utf8').split('__CSP_NONCE__') : []
    this.#files.delete('/index.html')
  }

  /** A file by its name, or the page, whose own router knows what the path means. */
  serve(request: Request, path: string): Response | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const file = this.#files.get(path)
    if (file) return this.#file(request, file)
    return screenPath.test(path) ? this.#consolePage() : undefined
  }

  #file(request: Request, file: ConsoleFile): Response {
    const headers: Record<string, string> = {
      'content-type': file.type,
      'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      vary: 'accept-encoding',
      etag: file.etag,
    }
    if (request.headers.get('if-none-match') === file.etag)
      return new Response(null, { status: 304, headers })
    const accepted = request.headers.get('accept-encoding') ?? ''
    const [path, encoding] =
      file.br && /\bbr\b/.test(accepted)
        ? [file.br, 'br']
        : file.gzip && /\bgzip\b/.test(accepted)
          ? [file.gzip, 'gzip']
          : [file.plain, undefined]
    if (encoding) headers['content-encoding'] = encoding
    return new Response(Bun.file(path), { headers })
  }

  #consolePage(): Response {
    if (this.#page.length === 0)
      return new Response('The console has not been built. Run: npm start\n', {
        status: 503,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      })
    const nonce = newNonce()
    return new Response(this.#page.join(nonce), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': pagePolicy(nonce, this.#hosts()),
      },
    })
  }
}

function modified(path: string): number {
  return embeddedConsole ? 0 : statSync(path).mtimeMs
}

function filesBelow(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [relative(folder, path), path]),
  )
}
