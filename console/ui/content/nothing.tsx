import styles from './nothing.module.css'

/** Where there is nothing to show. Cards leave its line out. */
export const nothing = (
  <span className={styles.nothing} data-none>
    –
  </span>
)
