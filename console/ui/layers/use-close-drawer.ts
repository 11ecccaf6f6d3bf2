import { useLocation, useNavigate } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The guide that sent its reader to a drawer, and whose next step comes after it. */
    guide?: '/start'
  }
}

/** Back to the list beside the drawer, with its filters, or to the guide that led here. */
export function useCloseDrawer(
  list: '/channel' | '/token' | '/prompt' | '/redemption' | '/user' | '/plan' | '/mcp-server',
): () => void {
  const navigate = useNavigate()
  const guide = useLocation({ select: ({ state }) => state.guide })
  return () => {
    navigate(guide ? { to: guide } : { to: list, search: true }).catch(() => {})
  }
}
