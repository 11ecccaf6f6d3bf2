import { roles, userStatuses } from '../../../contract/users.ts'
import type { App } from '../app.ts'
import { canMail, escapeHtml, sendMail } from './send-mail.ts'

interface Disabled {
  readonly channel: { readonly id: number; readonly name: string }
  readonly reason: string
}

/** Tells the super administrators by mail that a channel was taken out of service, and why. */
export async function tellRootOfDisabled(app: App, { channel, reason }: Disabled): Promise<void> {
  if (!canMail(app.settings)) return
  const roots = await app.store.db
    .selectFrom('users')
    .select('email')
    .where('role', '>=', roles.root)
    .where('status', '=', userStatuses.active)
    .where('deleted_at', 'is', null)
    .execute()
  const { id, name } = channel
  const subject = `通道「${name}」（#${id}）已被禁用`
  const zh = `通道「${name}」（#${id}）已被禁用，原因：${reason}`
  const en = `Channel “${name}” (#${id}) was disabled. Reason: ${reason}`
  const html = `<p>${escapeHtml(zh)}</p><p>${escapeHtml(en)}</p>`
  for (const { email } of roots)
    if (email) await sendMail(app.settings, { to: email, subject, text: `${zh}\n\n${en}\n`, html })
}
