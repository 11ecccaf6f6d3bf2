import { useNavigate } from '@tanstack/react-router'

/** Back to the list, with its filters. */
export function useCloseDrawer() {
  const navigate = useNavigate()
  return () => {
    navigate({ to: '/user', search: true }).catch(() => {})
  }
}
