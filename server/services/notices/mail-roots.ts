import { roles, userStatuses } from '../../../contract/users.ts'
import type { App } from '../app.ts'
import { escapeHtml } from '../escape-html.ts'
import { canMail, sendMail } from '../mail/send-mail.ts'
import { onItsWay } from './on-their-way.ts'

interface Letter {
  readonly subject: string
  readonly zh: string
  readonly en: string
}

type Parts = Pick<App, 'store' | 'settings'>

/** To all super administrators who have an address, where mail can be sent. */
export function mailRoots(app: Parts, letter: Letter): Promise<void> {
  return onItsWay(mailAll(app, letter))
}

async function mailAll({ store, settings }: Parts, { subject, zh, en }: Letter): Promise<void> {
  if (!canMail(settings)) return
  const roots = await store.db
    .selectFrom('users')
    .select('email')
    .where('role', '>=', roles.root)
    .where('status', '=', userStatuses.active)
    .where('deleted_at', 'is', null)
    .execute()
  const html = `<p>${escapeHtml(zh)}</p><p>${escapeHtml(en)}</p>`
  for (const { email } of roots)
    if (email) await sendMail(settings, { to: email, subject, text: `${zh}\n\n${en}\n`, html })
}
