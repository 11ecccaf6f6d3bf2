import { type Asked, denied, invalid, onlyFields, Wrong } from './wire.ts'

interface FakeUpload {
  readonly account: string
  readonly size: number
  readonly type: string
  readonly displayName: string | undefined
  readonly digest: Bun.CryptoHasher
  /** Of what is read as text. */
  text: string
  received: number
  pieces: number
  file: FakeFile | undefined
}

interface FakeFile {
  readonly account: string
  name: string
  displayName?: string | undefined
  mimeType: string
  sizeBytes: string
  createTime: string
  expirationTime: string
  sha256Hash: string
  uri: string
  state: string
  source: 'UPLOADED' | 'GENERATED'
  /** Of lines of JSON. */
  text: string
}

const GRANULARITY = 262_144
const LASTS_MS = 48 * 3_600_000
let made = 0

/** Uploads in pieces that have to follow one another, and what becomes of them. */
export class FakeFiles {
  readonly all = new Map<string, FakeFile>()
  readonly uploads = new Map<string, FakeUpload>()
  /** What the next file is when it is there. */
  nextState = 'ACTIVE'
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  upload(asked: Asked): Response {
    const id = asked.query.get('upload_id')
    return id === null ? this.#start(asked) : this.#goOn(asked, id)
  }

  serve({ method, path, account, query }: Asked): Response {
    if (path === '/v1beta/files')
      throw invalid(`lists are of all callers: nobody may see them (${query.toString()})`)
    const [, name = '', verb] = /^\/v1beta\/([^:]+)(:download)?$/.exec(path) ?? []
    const file = this.#find(account, name)
    if (verb !== undefined) {
      if (method !== 'GET' || query.get('alt') !== 'media') throw invalid('alt is not media')
      if (file.source !== 'GENERATED') throw invalid('The file was uploaded: it cannot be downloaded')
      return new Response(file.text, { headers: { 'content-type': 'application/octet-stream' } })
    }
    if (method === 'GET') return Response.json(shown(file))
    if (method !== 'DELETE') throw new Wrong(404, 'NOT_FOUND', 'no such method')
    this.all.delete(file.name)
    return Response.json({})
  }

  /** By a request that names it. */
  read(account: string, uri: string): void {
    const start = `${this.#url}/v1beta/`
    if (!uri.startsWith(start)) throw invalid(`Unsupported file URI: ${uri}`)
    const file = this.#find(account, uri.slice(start.length))
    if (file.state !== 'ACTIVE')
      throw new Wrong(400, 'FAILED_PRECONDITION', `The File ${file.name} is not in an ACTIVE state`)
  }

  /** Of lines of JSON, which a batch is made of. */
  linesOf(account: string, name: string): string[] {
    const { mimeType, state, text } = this.#find(account, name)
    if (!/jsonl/.test(mimeType) || state !== 'ACTIVE') throw invalid('the file is none for a batch')
    return text.split('\n').filter(line => line.trim() !== '')
  }

  /** What a batch was answered in. */
  make(account: string, text: string): string {
    const name = `files/batch-vendor${++made}`
    this.all.set(name, {
      ...{ account, name, text, mimeType: 'application/jsonl', sizeBytes: String(text.length) },
      ...{ createTime: new Date().toISOString(), expirationTime: new Date().toISOString(), sha256Hash: '' },
      ...{ uri: `${this.#url}/v1beta/${name}`, state: 'ACTIVE', source: 'GENERATED' },
    })
    return name
  }

  #find(account: string, name: string): FakeFile {
    const file = this.all.get(name)
    if (!file || file.account !== account)
      throw denied(
        `You do not have permission to access the File ${name.slice('files/'.length)} or it may not exist.`,
      )
    return file
  }

  #start({ headers, account, json }: Asked): Response {
    const said = (name: string): string => headers.get(`x-goog-upload-${name}`) ?? ''
    if (said('protocol') !== 'resumable' || said('command') !== 'start') throw invalid('not an upload')
    const size = Number(said('header-content-length'))
    if (!(size > 0)) throw invalid('the size is missing')
    onlyFields(json, ['file'])
    const file = (json.file ?? {}) as Record<string, unknown>
    onlyFields(file, ['displayName', 'mimeType', 'name'])
    if (file.name !== undefined) throw invalid('names are for all callers: nobody may choose one')
    const id = `up-${++made}`
    this.uploads.set(id, {
      account,
      size,
      type: said('header-content-type'),
      displayName: file.displayName as string | undefined,
      digest: new Bun.CryptoHasher('sha256'),
      text: '',
      received: 0,
      pieces: 0,
      file: undefined,
    })
    const url = `https://generativelanguage.googleapis.com/upload/v1beta/files?upload_id=${id}&upload_protocol=resumable`
    return new Response(null, {
      headers: {
        'x-goog-upload-status': 'active',
        'x-goog-upload-url': url,
        'x-goog-upload-chunk-granularity': String(GRANULARITY),
      },
    })
  }

  #goOn({ headers, bytes }: Asked, id: string): Response {
    const upload = this.uploads.get(id)
    if (!upload) throw new Wrong(404, 'NOT_FOUND', 'no such upload')
    const command = headers.get('x-goog-upload-command')
    switch (command) {
      case 'query':
        return this.#tell(upload)
      case 'cancel':
        this.uploads.delete(id)
        return new Response(null, { headers: { 'x-goog-upload-status': 'cancelled' } })
      case 'upload':
        if (bytes.length % GRANULARITY !== 0) throw invalid('a piece that is not the last has an odd length')
        this.#take(upload, headers, bytes)
        return this.#tell(upload)
      case 'finalize':
      case 'upload, finalize':
        if (command !== 'finalize') this.#take(upload, headers, bytes)
        if (upload.received !== upload.size) throw invalid('the file is not as long as was said')
        upload.file ??= this.#keep(upload)
        return this.#tell(upload)
      default:
        throw invalid(`unknown command ${command}`)
    }
  }

  #take(upload: FakeUpload, headers: Headers, bytes: Uint8Array): void {
    if (headers.get('content-length') === null) throw invalid('the length of the piece is missing')
    if (headers.get('x-goog-upload-offset') !== String(upload.received))
      throw invalid(`the offset is not ${upload.received}`)
    upload.received += bytes.length
    upload.pieces++
    upload.digest.update(bytes)
    if (/jsonl/.test(upload.type)) upload.text += Buffer.from(bytes).toString('latin1')
  }

  #tell({ file, received }: FakeUpload): Response {
    const size = { 'x-goog-upload-size-received': String(received) }
    if (!file) return new Response(null, { headers: { 'x-goog-upload-status': 'active', ...size } })
    return Response.json({ file: shown(file) }, { headers: { 'x-goog-upload-status': 'final', ...size } })
  }

  #keep({ account, size, type, displayName, digest, text }: FakeUpload): FakeFile {
    const name = `files/vendor${++made}`
    const file: FakeFile = {
      account,
      name,
      displayName,
      mimeType: type,
      sizeBytes: String(size),
      createTime: new Date().toISOString(),
      expirationTime: new Date(Date.now() + LASTS_MS).toISOString(),
      sha256Hash: Buffer.from(digest.digest('hex')).toString('base64'),
      uri: `${this.#url}/v1beta/${name}`,
      state: this.nextState,
      source: 'UPLOADED',
      text: Buffer.from(text, 'latin1').toString('utf8'),
    }
    this.nextState = 'ACTIVE'
    this.all.set(name, file)
    return file
  }
}

function shown({ account: _, text: __, ...file }: FakeFile): object {
  return file
}
