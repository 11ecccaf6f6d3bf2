import styles from './code.module.css'

/** Lines to be copied. With `lines` it is as high as that many, so that what stands below stays where it is. */
export function Code({ text, lines = 1 }: { text: string; lines?: number }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <pre className={styles.code} style={{ minHeight: `calc(${lines} * 20px + 26px)` }} tabIndex={0}>
      {text}
    </pre>
  )
}
