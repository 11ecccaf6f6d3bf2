import { systemSettings } from '../../../contract/settings/system.ts'
import { SettingsForm } from './settings-form.tsx'

export default function SystemTab() {
  return <SettingsForm settings={systemSettings} />
}
