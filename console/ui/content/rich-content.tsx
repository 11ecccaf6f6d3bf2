import { useQuery } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { reloadForPolicy } from '../../reload-for-policy.ts'
import styles from './rich-content.module.css'

interface RichContentProps {
  source: string
  /** `html` for what is HTML only; otherwise Markdown, in which HTML may stand. */
  format?: 'markdown' | 'html'
  /** Names the frame when the source is an address. */
  title: string
}

/** What an administrator wrote: Markdown and HTML made harmless, or the address of a page to frame. */
export function RichContent({ source, format = 'markdown', title }: RichContentProps) {
  if (isAddress(source)) return <Framed address={source.trim()} title={title} />
  return <SafeHtml source={source} format={format} />
}

function Framed({ address, title }: { address: string; title: string }) {
  useLayoutEffect(() => reloadForPolicy('frame-src'), [])
  return (
    <iframe
      className={styles.frame}
      src={address}
      title={title}
      sandbox={sandboxOf(address)}
      referrerPolicy="no-referrer"
    />
  )
}

export function isAddress(source: string): boolean {
  return /^https?:\/\/\S+$/.test(source.trim()) && URL.canParse(source.trim())
}

/** A frame of our own origin that kept it and ran script could free itself, so it keeps only the script. */
function sandboxOf(address: string): string {
  const own = new URL(address).origin === location.origin
  return `allow-forms allow-popups allow-scripts${own ? '' : ' allow-same-origin'}`
}

/** The same where nothing is framed: an address alone is a link. */
export function SafeHtml({ source, format }: { source: string; format: 'markdown' | 'html' }) {
  const host = useRef<HTMLDivElement>(null)
  const { data: renderer } = useQuery({
    queryKey: ['rich-content'],
    queryFn: () => import('./render-rich-content.ts'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (renderer) host.current?.replaceChildren(renderer.renderSafely(source, format))
  }, [renderer, source, format])
  return <div ref={host} className={styles.rich} data-format={format} />
}
