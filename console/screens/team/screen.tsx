import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createLazyRoute, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { teamEndpoints } from '../../../contract/teams.ts'
import { call } from '../../api.ts'
import { shellText } from '../../locales/catalogue.ts'
import { useUser } from '../../session.ts'
import { ownTeamsQuery } from '../../teams/own-teams.ts'
import { useText } from '../../text.ts'
import { NativeSelect } from '../../ui/fields/fields.tsx'
import { LoadFailure } from '../../ui/page/load-failure.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Skeleton } from '../../ui/page/skeleton.tsx'
import { Empty } from '../../ui/table/empty.tsx'
import { teamText } from './catalogue.ts'
import { NameDialog } from './name-dialog.tsx'
import { OwnInvitations } from './own-invitations.tsx'
import styles from './team.module.css'
import { TeamPanels } from './team-panels.tsx'

function Teams() {
  const t = useText(teamText)
  const shell = useText(shellText)
  const navigate = useNavigate()
  const { id: asked } = screen.useSearch()
  const { data, error, refetch } = useQuery(ownTeamsQuery(useUser()?.id))
  const [isNaming, setNaming] = useState(false)
  const show = (id: number | undefined) =>
    navigate({ to: '/team', search: id === undefined ? {} : { id }, replace: true })
  const teams = data?.teams ?? []
  const id = asked ?? teams[0]?.id
  const isEmpty = data !== undefined && id === undefined && data.invitations.length === 0
  return (
    <Page
      title={shell('nav.team')}
      actions={
        data?.may_create &&
        !isEmpty && (
          <Button size="xs" variant="default" onClick={() => setNaming(true)}>
            {t('new')}
          </Button>
        )
      }
    >
      <div className={styles.stack}>
        {error && !data && <LoadFailure error={error} retry={refetch} />}
        {!error && !data && <Skeleton rows={4} />}
        {data && data.invitations.length > 0 && <OwnInvitations invitations={data.invitations} show={show} />}
        {teams.length > 1 && (
          <NativeSelect
            id="team-choice"
            label={t('team')}
            value={String(id)}
            data={teams.map(team => ({ value: String(team.id), label: team.name }))}
            onChange={event => show(Number(event.currentTarget.value))}
          />
        )}
        {id !== undefined && <TeamPanels key={id} id={id} gone={() => show(undefined)} />}
        {isEmpty && (
          <Empty
            title={t('none')}
            actions={
              data.may_create && (
                <Button size="xs" onClick={() => setNaming(true)}>
                  {t('new')}
                </Button>
              )
            }
          >
            {t('noneLead')}
          </Empty>
        )}
      </div>
      {isNaming && (
        <NameDialog
          title={t('new')}
          action={t('create')}
          save={name => call(teamEndpoints.createTeam, { body: { name } })}
          done={made => show(made?.id)}
          close={() => setNaming(false)}
        />
      )}
    </Page>
  )
}

export const screen = createLazyRoute('/team')({ component: Teams })
