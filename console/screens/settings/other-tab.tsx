import { otherSettings } from '../../../contract/settings/other.ts'
import { SettingsForm } from './settings-form.tsx'

export default function OtherTab() {
  return <SettingsForm settings={otherSettings} />
}
