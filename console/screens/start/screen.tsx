import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { roles } from '../../../contract/users.ts'
import { readFirstRun, storeFirstRun } from '../../first-run.ts'
import { shellText } from '../../locales/catalogue.ts'
import { landingPath } from '../../navigation.ts'
import { useScreenPaths } from '../../screen-paths.ts'
import { useUser } from '../../session.ts'
import { useText } from '../../text.ts'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { BalanceHint } from './balance-hint.tsx'
import { Billed } from './billed.tsx'
import { startText } from './catalogue.ts'
import { FirstCall } from './first-call.tsx'
import { OwnSteps } from './own-steps.tsx'
import { isDone, type Progress, progressQuery } from './progress-query.ts'
import styles from './start.module.css'
import { Step } from './step.tsx'

function Start() {
  const isAdmin = (useUser()?.role ?? 0) >= roles.admin
  return isAdmin ? <OfInstallation /> : <OfUser />
}

function OfUser() {
  const t = useText(startText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const landing = landingPath(useUser()?.role ?? 0, useScreenPaths())
  return (
    <Page title={shell('nav.start')} lead={t('lead')}>
      <OwnSteps
        leave={() => {
          navigate({ to: landing }).catch(() => {})
        }}
      />
    </Page>
  )
}

/** From an empty installation to its first billed call. */
function OfInstallation() {
  const t = useText(startText)
  const shell = useText(shellText)
  const user = useUser()
  const { data, error, refetch } = useQuery({ ...progressQuery, enabled: user !== null })
  const navigate = useNavigate()
  const landing = landingPath(user?.role ?? 0, useScreenPaths())
  const finished = data !== undefined && isDone(data)
  useEffect(() => {
    if (finished && readFirstRun() !== null) storeFirstRun('done')
  }, [finished])
  const leave = () => {
    if (!finished) storeFirstRun('skipped')
    navigate({ to: landing }).catch(() => {})
  }
  return (
    <Page title={shell('nav.start')} lead={t('lead')}>
      {data === undefined && !error && <Skeleton rows={6} />}
      {data === undefined && error && <LoadFailure error={error} retry={refetch} />}
      {data && <Steps progress={data} />}
      {data && (
        <div className={styles.foot}>
          <Button size="sm" variant={finished ? 'filled' : 'default'} onClick={leave}>
            {finished ? t('finish') : t('skip')}
          </Button>
          {!finished && <span className={styles.hint}>{t('skipHint')}</span>}
        </div>
      )}
    </Page>
  )
}

function Steps({ progress }: { progress: Progress }) {
  const t = useText(startText)
  const { channels, tokens, billed } = progress
  const done = [channels > 0, tokens.length > 0, billed !== undefined]
  const current = done.indexOf(false)
  const count = done.filter(Boolean).length
  return (
    <>
      <p className={styles.progress} role="status">
        {t('progress', { done: count })}
      </p>
      <ol className={styles.steps}>
        <Step number={1} title={t('channel')} done={done[0] === true} current={current === 0}>
          <p>{channels > 0 ? t('channelDone', { count: channels }) : t('channelLead')}</p>
          {channels === 0 && (
            <Button component={Link} to="/channel/add" state={{ guide: '/start' }} size="xs">
              {t('channelAction')}
            </Button>
          )}
        </Step>
        <Step number={2} title={t('createToken')} done={done[1] === true} current={current === 1}>
          <p>{tokens.length > 0 ? t('tokenDone', { count: tokens.length }) : t('tokenLead')}</p>
          {tokens.length === 0 && (
            <Button
              component={Link}
              to="/token/add"
              state={{ guide: '/start' }}
              size="xs"
              variant={current === 1 ? 'filled' : 'default'}
            >
              {t('createToken')}
            </Button>
          )}
        </Step>
        <Step number={3} title={t('call')} done={done[2] === true} current={current === 2}>
          {billed ? (
            <Billed row={billed} first={progress.calls === 1} />
          ) : current === 2 ? (
            <>
              <p>{t('callLead')}</p>
              <BalanceHint />
              <FirstCall models={progress.models} tokens={tokens} />
              <p className={styles.waiting} role="status">
                {t('waiting')}
              </p>
            </>
          ) : (
            <p>{t('callLater')}</p>
          )}
        </Step>
      </ol>
    </>
  )
}

/** For pages that offer the steps: of the guide they need only these, which come in one file with it. */
export { OwnSteps }
export const screen = createLazyRoute('/start')({ component: Start })
