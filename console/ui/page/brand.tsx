import { useState } from 'react'
import styles from './brand.module.css'

/** A barrier on its post, half raised. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} fill="currentColor" aria-hidden="true">
      <path d="M1 10.5l6.6-2.4v4.6L1 15.1zM8.7 7.7l6.6-2.4v4.6l-6.6 2.4zM16.4 4.9 23 2.5v4.6l-6.6 2.4z" />
      <path d="M2.3 16.2l4-1.4v4.9h2.2v2.3H0v-2.3h2.3z" />
    </svg>
  )
}

/** The installation's own logo where it has one that can be shown. */
export function Logo({ src, size = 20 }: { src: string | undefined; size?: number }) {
  const [broken, setBroken] = useState<string>()
  if (!src || src === broken) return <Mark size={size} />
  return (
    <img className={styles.logo} src={src} alt="" width={size} height={size} onError={() => setBroken(src)} />
  )
}
