import type { SpotlightActionGroupData } from '@mantine/spotlight'
import type { UseNavigateResult } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { type SectionId, type SectionTab, sections, sectionTabs } from '../../contract/settings/sections.ts'
import { currentLanguage } from '../text.ts'
import styles from './palette.module.css'

/** The sections of the settings, for whoever may change them: found by their names in either language. */
export function sectionGroup(group: string, navigate: UseNavigateResult<string>): SpotlightActionGroupData {
  const language = currentLanguage()
  const ids = (Object.keys(sections) as SectionId[]).filter(id => id !== 'other.legacy')
  return {
    group,
    actions: ids.map(id => {
      const tab = id.split('.')[0] as SectionTab
      return {
        id: `section-${id}`,
        label: sections[id][language],
        keywords: [...Object.values(sections[id]), ...Object.values(sectionTabs[tab])],
        leftSection: <Settings size={18} aria-hidden />,
        rightSection: <span className={styles.hint}>{sectionTabs[tab][language]}</span>,
        onClick: () => {
          navigate({ to: '/setting', search: { tab }, hash: id }).catch(() => {})
        },
      }
    }),
  }
}
