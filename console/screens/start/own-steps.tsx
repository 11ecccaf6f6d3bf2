import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { BalanceHint } from './balance-hint.tsx'
import { Billed } from './billed.tsx'
import { startText } from './catalogue.ts'
import { FirstCall } from './first-call.tsx'
import { type OwnProgress, ownProgressQuery } from './own-progress-query.ts'
import styles from './start.module.css'
import { Step } from './step.tsx'

interface OwnStepsProps {
  /** On a page that is about something else, with a heading of its own. */
  framed?: true
  leave(): void
}

/** What someone does who only calls: a token, a call, its line in the log. */
export function OwnSteps({ framed, leave }: OwnStepsProps) {
  const t = useText(startText)
  const shell = useText(shellText)
  // Whoever logs out here has nothing left to ask for.
  const isHere = useUser() !== null
  const { data, error, refetch } = useQuery({ ...ownProgressQuery, enabled: isHere })
  if (!data && error) return <LoadFailure error={error} retry={refetch} />
  if (!data)
    return (
      <div className={framed && styles.room}>
        <Skeleton rows={6} />
      </div>
    )
  const isDone = data.billed !== undefined
  const away = (
    <Button size={framed ? 'xs' : 'sm'} variant={isDone && !framed ? 'filled' : 'default'} onClick={leave}>
      {isDone ? t('finish') : t('skip')}
    </Button>
  )
  if (!framed)
    return (
      <>
        <Steps progress={data} guide="/start" />
        <div className={styles.foot}>{away}</div>
      </>
    )
  return (
    <section className={styles.framed} aria-label={shell('nav.start')}>
      <div className={styles.frameHead}>
        <div>
          <h2>{shell('nav.start')}</h2>
          <p className={styles.hint}>{t('lead')}</p>
        </div>
        {away}
      </div>
      <Steps progress={data} />
    </section>
  )
}

interface StepsProps {
  progress: OwnProgress
  /** Where there is no list beside the steps, which could be come back to. */
  guide?: '/start'
}

function Steps({ progress, guide }: StepsProps) {
  const t = useText(startText)
  const { models, tokens, calls, billed } = progress
  const hasToken = tokens.length > 0
  return (
    <ol className={styles.steps}>
      <Step number={1} title={t('createToken')} done={hasToken} current={!hasToken}>
        <p>{hasToken ? t('tokenDone', { count: tokens.length }) : t('tokenLead')}</p>
        {!hasToken && (
          <Button component={Link} to="/token/add" state={guide ? { guide } : {}} size="xs">
            {t('createToken')}
          </Button>
        )}
      </Step>
      <Step number={2} title={t('call')} done={billed !== undefined} current={hasToken && !billed}>
        {hasToken && !billed ? (
          <>
            <p>{t('callLead')}</p>
            <BalanceHint />
            <FirstCall models={models} tokens={tokens} />
          </>
        ) : (
          billed && <p>{billed.model_name}</p>
        )}
      </Step>
      <Step number={3} title={t('openLog')} done={false} current={billed !== undefined}>
        {billed ? (
          <Billed row={billed} first={calls === 1} />
        ) : (
          hasToken && (
            <p className={styles.waiting} role="status">
              {t('waiting')}
            </p>
          )
        )}
      </Step>
    </ol>
  )
}
