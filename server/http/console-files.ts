import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { preferredLanguage } from '../../contract/language.ts'
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

/** What the page is told to fetch at once, by the address that is asked for. */
type Preloads = Readonly<Record<string, { files: string[]; zh: string[]; en: string[] }>>

/** The built console: every file known by name beforehand, so that a path can never reach another one. */
export class ConsoleFiles {
  readonly #files = new Map<string, ConsoleFile>()
  readonly #page: readonly string[]
  readonly #preloads: Preloads
  readonly #hosts: (isSecure: boolean) => PageHosts

  /** `hosts`: whose scripts and frames the page may have, as the settings of the moment have it, with TLS or without. */
  constructor(folder: string, hosts: (isSecure: boolean) => PageHosts) {
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
    const preloads = this.#files.get('/preloads.json')
    this.#preloads = preloads ? JSON.parse(readFileSync(preloads.plain, 'utf8')) : {}
    this.#files.delete('/preloads.json')
  }

  /** A file by its name, or the page, whose own router knows what the path means. */
  serve(request: Request, path: string, isSecure: boolean): Response | undefined {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined
    const file = this.#files.get(path)
    if (file) return this.#file(request, file)
    return screenPath.test(path) ? this.#consolePage(request, path, isSecure) : undefined
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

  #hints(request: Request, path: string): string {
    const tab = new URL(request.url).searchParams.get('tab')
    const address = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    const first = `/${path.split('/')[1] ?? ''}`
    const found = [`${address}?tab=${tab}`, address, first].find(one => Object.hasOwn(this.#preloads, one))
    const needed = found === undefined ? undefined : this.#preloads[found]
    if (!needed) return ''
    const language = preferredLanguage(request.headers.get('accept-language'))
    return describeHints([...needed[language], ...needed.files])
  }

  #consolePage(request: Request, path: string, isSecure: boolean): Response {
    if (this.#page.length === 0)
      return new Response('The console has not been built. Run: npm start\n', {
        status: 503,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      })
    const nonce = newNonce()
    const page = this.#page.join(nonce).replace('</head>', () => `${this.#hints(request, path)}</head>`)
    return new Response(page, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': pagePolicy(nonce, this.#hosts(isSecure)),
      },
    })
  }
}

/** Tags for what the asked screen needs besides the shell. */
function describeHints(files: readonly string[]): string {
  return files
    .map(file =>
      file.endsWith('.css')
        ? `<link rel="stylesheet" crossorigin href="/${file}">`
        : `<link rel="modulepreload" crossorigin href="/${file}">`,
    )
    .join('')
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
