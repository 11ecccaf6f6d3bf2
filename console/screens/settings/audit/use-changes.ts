import { useStatus } from '../../../status.ts'
import { useLanguage } from '../../../text.ts'
import { type Change, changesOf } from './changes.ts'
import type { AuditRow } from './columns.tsx'
import { valuesOfAction, valuesOfSetting } from './field-values.ts'
import { useSettingNamed } from './setting-query.ts'

const ofSetting = 'option:'
const namingSubject = new Set([
  'redemption.update',
  'team.change-member',
  'user.demote',
  'user.disable',
  'user.enable',
  'user.promote',
])

/** What a record tells of, in the reader's language. */
export function useChanges({ action, subject, before, after }: AuditRow): Change[] {
  const language = useLanguage()
  const display = useStatus()
  const isSetting = subject.startsWith(ofSetting)
  const setting = useSettingNamed(isSetting ? subject.slice(ofSetting.length) : undefined)
  const nameValue = isSetting ? valuesOfSetting(setting, language, display) : valuesOfAction(action, language)
  return changesOf(before, after, { display, nameValue, namesSubject: namingSubject.has(action) })
}
