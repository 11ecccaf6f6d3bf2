import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Client } from './client.ts'
import { until } from './program.ts'

export interface Letter {
  readonly to: string[]
  readonly from: string
  /** Whether it came over TLS, and who had logged in to send it. */
  readonly secure: boolean
  readonly account: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A real mail server on loopback that keeps what it is given. */
export class Mailbox {
  readonly letters: Letter[] = []
  readonly #server: SMTPServer

  private constructor(options: SMTPServerOptions) {
    this.#server = new SMTPServer({
      authOptional: true,
      onAuth: ({ username, password }, _session, done) =>
        password === 'mail-secret' ? done(null, { user: username ?? '' }) : done(new Error('wrong password')),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = []
        stream.on('data', chunk => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          this.letters.push({
            to: rcptTo.map(({ address }) => address),
            from: mailFrom ? mailFrom.address : '',
            secure: session.secure,
            account: session.user,
            ...readLetter(Buffer.concat(chunks).toString('latin1')),
          })
          done()
        })
      },
      logger: false,
      ...options,
    })
    // A client that does not trust us hangs up in the middle of things.
    this.#server.on('error', () => {})
  }

  static async open(options: SMTPServerOptions = { disabledCommands: ['STARTTLS'] }): Promise<Mailbox> {
    const box = new Mailbox(options)
    await new Promise<void>(resolve => box.#server.listen(0, '127.0.0.1', resolve))
    return box
  }

  get port(): number {
    return (this.#server.server.address() as AddressInfo).port
  }

  /** Makes a program send its mail here. */
  async connect(root: Client): Promise<void> {
    await root.saveOption('SMTPServer', '127.0.0.1')
    await root.saveOption('SMTPPort', String(this.port))
    await root.saveOption('SMTPFrom', 'gate@example.com')
  }

  /** The newest letter to someone; waits for one that is on its way. */
  last(to: string): Promise<Letter> {
    return until(() => this.letters.findLast(letter => letter.to.includes(to)))
  }

  async close(): Promise<void> {
    await new Promise<void>(resolve => this.#server.close(() => resolve()))
  }
}

function readLetter(raw: string): { subject: string; text: string; html: string } {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  const boundary = /boundary="([^"]+)"/.exec(head)?.[1] ?? ''
  const parts = raw.split(`--${boundary}`).map(part => part.replace(/^\r\n/, ''))
  const find = (type: string): string => {
    const part = parts.find(candidate => candidate.startsWith(`Content-Type: ${type}`)) ?? ''
    const at = part.indexOf('\r\n\r\n')
    return decode(part.slice(0, at), part.slice(at + 4))
  }
  const subject = /^Subject: (.*)$/im.exec(head)?.[1] ?? ''
  return { subject: decodeWords(subject), text: find('text/plain'), html: find('text/html') }
}

function decode(head: string, body: string): string {
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  if (/quoted-printable/i.test(head)) return decodeQuoted(body.replace(/=\r\n/g, ''))
  return body
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, kind: string, body: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(body, 'base64').toString('utf8')
        : decodeQuoted(body.replace(/_/g, ' ')),
    )
}
