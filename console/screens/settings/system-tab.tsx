import { systemSettings } from '../../../contract/settings/system.ts'
import { MailSection } from './mail-section.tsx'
import { SettingsForm } from './settings-form.tsx'

const special = { 'system.smtp': MailSection }

export default function SystemTab() {
  return <SettingsForm settings={systemSettings} special={special} />
}
