import { createTransport } from 'nodemailer'
import type { Settings } from '../../store/settings-snapshot.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const TLS_PORT = 465
const here = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i
const WAIT_MS = 15_000

/** Whether the operator has said where mail goes out. */
export function canMail(settings: Settings): boolean {
  return settings.get('SMTPServer') !== ''
}

/** Hands one mail to the operator's server; resolves when it was taken. */
export async function sendMail(settings: Settings, { to, subject, text, html }: Mail): Promise<void> {
  const host = settings.get('SMTPServer')
  const port = settings.get('SMTPPort')
  const account = settings.get('SMTPAccount')
  const transport = createTransport({
    host,
    port,
    // On the other ports the connection is turned into a secure one when the server offers it. Certificates
    // are checked either way, and a password never leaves this machine in the clear.
    secure: port === TLS_PORT || settings.get('SMTPSSLEnabled'),
    requireTLS: account !== '' && !here.test(host),
    ...(account === '' ? {} : { auth: { user: account, pass: settings.get('SMTPToken') } }),
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  })
  try {
    const from = { name: settings.get('SystemName'), address: settings.get('SMTPFrom') || account }
    // One address, not a list of them, whatever it holds.
    await transport.sendMail({ from, to: { name: '', address: to }, subject, text, html })
  } finally {
    transport.close()
  }
}
