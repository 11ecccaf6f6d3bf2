import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { systemEndpoints } from '../../contract/system.ts'
import { call } from '../api.ts'
import { readStored, store } from '../storage.ts'
import { lazyPart } from '../ui/page/lazy-part.ts'

const NoticeDialog = lazyPart(() => import('./notice-dialog.tsx'))

/** The announcement, once per text. Whoever is just logging in sees it afterwards. */
export function Notice() {
  const { pathname } = useLocation()
  const [seen, setSeen] = useState(() => readStored('notice') ?? '')
  const { data: notice = '' } = useQuery({
    queryKey: ['notice'],
    queryFn: ({ signal }) => call(systemEndpoints.notice, { signal }),
    staleTime: 60_000,
  })
  if (notice.trim() === '' || notice === seen || /^\/(login|register|setup)$|^\/oauth\//.test(pathname))
    return null
  const close = () => {
    store('notice', notice)
    setSeen(notice)
  }
  return <NoticeDialog text={notice} close={close} />
}
