import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface Ceremony {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
}

/** What a liar or a faulty device would do otherwise. */
interface Twists {
  readonly type?: string
  readonly flags?: number
  readonly format?: string
  readonly statement?: Uint8Array
  readonly userHandle?: string
  readonly signWith?: KeyObject
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_KEY = 0x40

/** A passkey in software: ES256, with the bytes that WebAuthn prescribes. */
export class SoftwareAuthenticator {
  readonly id = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  userHandle = ''
  counter = 0

  create({ challenge, origin, rpId }: Ceremony, userHandle: string, twists: Twists = {}) {
    this.userHandle = userHandle
    const key = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinate = (text = '') => Buffer.from(text, 'base64url')
    // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
    const cose = Buffer.concat([
      Buffer.from('a501020326200121', 'hex'),
      bytes(coordinate(key.x)),
      Buffer.from('22', 'hex'),
      bytes(coordinate(key.y)),
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const flags = twists.flags ?? PRESENT | VERIFIED | HAS_KEY
    const data = Buffer.concat([this.#head(rpId, flags), Buffer.alloc(16), length, this.id, cose])
    const attestationObject = Buffer.concat([
      Buffer.from('a3', 'hex'),
      text('fmt'),
      text(twists.format ?? 'none'),
      text('attStmt'),
      twists.statement ?? Buffer.from('a0', 'hex'),
      text('authData'),
      bytes(data),
    ])
    return {
      ...this.#names(),
      response: {
        clientDataJSON: clientData(twists.type ?? 'webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  get({ challenge, origin, rpId }: Ceremony, twists: Twists = {}) {
    this.counter++
    const client = clientData(twists.type ?? 'webauthn.get', challenge, origin)
    const data = this.#head(rpId, twists.flags ?? PRESENT | VERIFIED)
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
    return {
      ...this.#names(),
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, twists.signWith ?? this.#keys.privateKey).toString('base64url'),
        userHandle: twists.userHandle ?? this.userHandle,
      },
    }
  }

  #head(rpId: string, flags: number): Buffer {
    const rest = Buffer.alloc(5)
    rest.writeUInt8(flags)
    rest.writeUInt32BE(this.counter, 1)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), rest])
  }

  #names() {
    const id = this.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      authenticatorAttachment: 'platform',
    }
  }
}

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

/** CBOR: a text of fewer than 24 bytes. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)])
}

/** CBOR: a byte string of at least 24 bytes, its length as short as it can be. */
function bytes(value: Uint8Array): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff]
  return Buffer.concat([Buffer.from(head), value])
}
