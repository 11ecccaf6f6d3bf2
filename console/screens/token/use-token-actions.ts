import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type TokenView, tokenEndpoints, tokenStatuses } from '../../../contract/tokens.ts'
import { roles } from '../../../contract/users.ts'
import { call } from '../../api.ts'
import { chatLinks } from '../../clients/chat-links.ts'
import { publicAddress } from '../../public-address.ts'
import { useUser } from '../../session.ts'
import { useStatus } from '../../status.ts'
import { useText } from '../../text.ts'
import { copyText } from '../../ui/content/copy.ts'
import { deleteLater } from '../../ui/layers/delete-later.ts'
import { toast } from '../../ui/layers/toast.ts'
import type { RowAction } from '../../ui/table/column.ts'
import { tokenText } from './catalogue.ts'
import { refreshTokens } from './tokens-query.ts'

const WEEK = 7 * 86_400

/** What can be done with a token. */
export function useTokenActions({ view }: { view(token: TokenView): void }) {
  const t = useText(tokenText)
  const status = useStatus()
  const navigate = useNavigate()
  const user = useUser()
  // Administrators have everybody's calls in their log, and others may call their tokens the same.
  const ofOwn = user && user.role >= roles.admin ? { user: user.username } : {}
  const { mutate: setStatus } = useMutation({
    mutationFn: (body: { id: number; status: number }) =>
      call(tokenEndpoints.updateToken, { query: { status_only: 'true' }, body }),
    onSuccess: () => {
      toast.success(t('done'))
      return refreshTokens()
    },
  })

  const chats = (token: TokenView): RowAction[] => {
    if (!status) return []
    const links = chatLinks(status, publicAddress(status.server_address), token.key)
    if (links === 'none') return [{ id: 'none', label: t('chat.none'), disabled: true }]
    if (!Array.isArray(links)) return [{ id: 'wrong', label: t('chat.wrong'), disabled: true }]
    return links.map(({ name, url }) => ({
      id: name,
      label: name,
      act: () => window.open(url, '_blank', 'noopener'),
    }))
  }

  /** Nothing of the kind where nobody here knows it. */
  const withKey = (token: TokenView): RowAction[] => {
    if (token.key === '') return []
    return [
      { id: 'copy', label: t('action.copy'), inline: true, act: () => copyText(`sk-${token.key}`) },
      {
        id: 'chat',
        label: t('nav.chat'),
        inline: true,
        // Coding agents are told by what is copied rather than by a link.
        menu: [...chats(token), { id: 'agents', label: 'Claude Code · Codex · …', act: () => view(token) }],
      },
    ]
  }

  return (token: TokenView): RowAction[] => {
    const isOn = token.status === tokenStatuses.enabled
    return [
      ...withKey(token),
      { id: 'view', label: t('viewKey'), act: () => view(token) },
      {
        id: 'logs',
        label: t('nav.log'),
        act: () => navigate({ to: '/log', search: { token: token.name, ...ofOwn, start: -WEEK } }),
      },
      {
        id: 'edit',
        label: t('edit'),
        act: () => navigate({ to: '/token/edit/$id', params: { id: String(token.id) }, search: true }),
      },
      {
        id: 'toggle',
        label: isOn ? t('disable') : t('enable'),
        act: () => setStatus({ id: token.id, status: isOn ? tokenStatuses.disabled : tokenStatuses.enabled }),
      },
      {
        id: 'delete',
        label: t('delete'),
        destructive: true,
        act: () =>
          deleteLater({
            kind: 'token',
            ids: [token.id],
            message: t('deleted', { name: token.name }),
            commit: () => call(tokenEndpoints.deleteToken, { params: { id: token.id } }),
            done: refreshTokens,
          }),
      },
    ]
  }
}
