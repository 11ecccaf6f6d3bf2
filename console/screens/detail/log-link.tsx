import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'

interface LogLinkProps {
  href: string | undefined
  className: string | undefined
  children: ReactNode
}

/** Opens a part of the log in this page; in another tab where that is asked for. */
export function LogLink({ href, className, children }: LogLinkProps) {
  const navigate = useNavigate()
  const press = (event: MouseEvent) => {
    if (!href || event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    navigate({ href }).catch(() => {})
  }
  return (
    <a className={className} href={href} onClick={press}>
      {children}
    </a>
  )
}
