import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Which place a sealed value belongs to; it opens nowhere else. */
export interface Place {
  readonly table: string
  readonly column: string
  readonly row: string | number
}

/** AES-256-GCM for secrets at rest, and keyed hashes to find them by, all derived from SECRET_KEY. */
export class Cipher {
  readonly #sealKey: Buffer
  readonly #hashKey: Buffer

  constructor(secretKey: string) {
    this.#sealKey = derive(secretKey, 'seal')
    this.#hashKey = derive(secretKey, 'hash')
  }

  seal(place: Place, plain: string | Uint8Array): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#sealKey, nonce)
    cipher.setAAD(binding(place))
    const sealed = Buffer.concat([
      nonce,
      typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain),
      cipher.final(),
      cipher.getAuthTag(),
    ])
    return `${VERSION}.${sealed.toString('base64url')}`
  }

  /** Throws when the value was sealed with another key, for another place, or has been altered. */
  open(place: Place, sealed: string): string {
    return this.openBytes(place, sealed).toString('utf8')
  }

  openBytes(place: Place, sealed: string): Buffer {
    const [version, body] = sealed.split('.')
    if (version !== VERSION || !body) throw new Error('not a sealed value')
    const bytes = Buffer.from(body, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', this.#sealKey, bytes.subarray(0, NONCE_BYTES))
    decipher.setAAD(binding(place))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  }

  /** The same text always gives the same hash, and nobody without the key can make one. */
  hash(purpose: string, text: string): string {
    return createHmac('sha256', this.#hashKey).update(`${purpose}\0${text}`).digest('hex')
  }
}

function derive(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'tollgate', purpose, 32))
}

function binding({ table, column, row }: Place): Buffer {
  return Buffer.from(`${table}\0${column}\0${row}`)
}
