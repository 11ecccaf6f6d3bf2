import { useNavigate } from '@tanstack/react-router'

/** Back to the list beside the drawer, with its filters. */
export function useCloseDrawer(
  list: '/token' | '/redemption' | '/user' | '/plan' | '/mcp-server',
): () => void {
  const navigate = useNavigate()
  return () => {
    navigate({ to: list, search: true }).catch(() => {})
  }
}
