import type { ManagedUser } from '../../../contract/user-admin.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useText } from '../../text.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { userText } from './catalogue.ts'

/** What is not done unasked. */
export interface Asked {
  readonly user: ManagedUser
  readonly action: 'promote' | 'demote' | 'delete'
}

interface UserQuestionProps extends Asked {
  onConfirm(): void
  onCancel(): void
}

export function UserQuestion({ user: { username: name }, action, onConfirm, onCancel }: UserQuestionProps) {
  const t = useText(userText)
  const shell = useText(shellText)
  const roleNames = [t('role.user'), t('role.admin')]
  const ranks = (word: 'promote' | 'demote', from: readonly string[]) => ({
    title: shell('table.actionOn', { action: t(word), name }),
    action: t(word),
    children: from.join(' → '),
  })
  const words = {
    promote: ranks('promote', roleNames),
    demote: ranks('demote', roleNames.toReversed()),
    delete: {
      title: t('deactivateTitle', { name }),
      action: t('deactivate'),
      children: t('deactivateText'),
      destructive: true,
    },
  }
  return <Confirm opened {...words[action]} onConfirm={onConfirm} onCancel={onCancel} />
}
