import { useQuery } from '@tanstack/react-query'
import { type ChatLink, type ChatProblem, chatTemplates, fillChatTemplate } from '../../clients/chat-links.ts'
import { loadEnabledTokens } from '../../enabled-tokens.ts'
import { publicAddress } from '../../public-address.ts'
import { useStatus } from '../../status.ts'

export type Found =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'problem'; readonly problem: ChatProblem }
  | { readonly kind: 'link'; readonly link: ChatLink }

/** The chat application at this place of the list, with the key of the reader's first enabled token. */
export function useChatLink(index: number): Found {
  const status = useStatus()
  const { data, error, refetch } = useQuery({
    queryKey: ['chat', 'key'],
    queryFn: async ({ signal }) => (await loadEnabledTokens(signal))[0]?.key ?? '',
    staleTime: 0,
    gcTime: 0,
  })
  if (error) return { kind: 'failed', error, retry: () => void refetch() }
  if (!status || data === undefined) return { kind: 'loading' }
  const templates = chatTemplates(status)
  if (templates === 'unreadable') return { kind: 'problem', problem: 'unreadable' }
  if (templates.length === 0) return { kind: 'problem', problem: 'none' }
  if (data === '') return { kind: 'no-token' }
  const template = templates[index]
  const link = template && fillChatTemplate(template, publicAddress(status.server_address), data)
  return link ? { kind: 'link', link } : { kind: 'problem', problem: 'wrong' }
}
