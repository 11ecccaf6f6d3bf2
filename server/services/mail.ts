import { createTransport } from 'nodemailer'
import type { Settings } from '../store/settings-snapshot.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

const TLS_PORT = 465
const WAIT_MS = 15_000

/** Whether the operator has said where mail goes out. */
export function canMail(settings: Settings): boolean {
  return settings.get('SMTPServer') !== ''
}

/** Hands one mail to the operator's server; resolves when it was taken. */
export async function sendMail(settings: Settings, { to, subject, text, html }: Mail): Promise<void> {
  const port = settings.get('SMTPPort')
  const account = settings.get('SMTPAccount')
  const transport = createTransport({
    host: settings.get('SMTPServer'),
    port,
    // On the other ports the connection is turned into a secure one when the server offers it.
    secure: port === TLS_PORT || settings.get('SMTPSSLEnabled'),
    ...(account === '' ? {} : { auth: { user: account, pass: settings.get('SMTPToken') } }),
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  })
  try {
    const from = { name: settings.get('SystemName'), address: settings.get('SMTPFrom') || account }
    await transport.sendMail({ from, to, subject, text, html })
  } finally {
    transport.close()
  }
}

/** Text from elsewhere as part of a mail's HTML. */
export function escapeHtml(text: string): string {
  const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' }
  return text.replace(/[&<>"]/g, character => `&${names[character]};`)
}
