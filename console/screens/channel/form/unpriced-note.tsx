import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { roles } from '../../../../contract/users.ts'
import { useUser } from '../../../session.ts'
import { Callout } from '../../../ui/content/callout.tsx'
import { unpricedQuery, useUnpricedText } from '../../../unpriced.ts'
import styles from './form.module.css'

const SHOWN = 8

/** Which of the chosen models would be refused, each with the way to its price; the form stays where it is. */
export function UnpricedNote({ models }: { models: readonly string[] }) {
  const text = useUnpricedText()
  const isRoot = (useUser()?.role ?? 0) >= roles.root
  const { data = [] } = useQuery({ ...unpricedQuery(models), enabled: models.length > 0, gcTime: 0 })
  const chosen = new Set(models)
  const unpriced = data.filter(name => chosen.has(name))
  if (unpriced.length === 0) return null
  const more = unpriced.length - SHOWN
  return (
    <div className={styles.unpriced}>
      <Callout>
        <p>
          {text('chosen', { count: unpriced.length })} {text(isRoot ? 'setEach' : 'ask')}
        </p>
        <p className={styles.names}>
          {unpriced.slice(0, SHOWN).map(name =>
            isRoot ? (
              <Link key={name} to="/setting" search={{ tab: 'operation', price: name }} target="_blank">
                {name}
              </Link>
            ) : (
              <span key={name}>{name}</span>
            ),
          )}
          {more > 0 && <span>+{more}</span>}
        </p>
      </Callout>
    </div>
  )
}
