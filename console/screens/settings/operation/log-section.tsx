import { Section, type SectionProps } from '../section.tsx'
import { ClearLogs } from './clear-logs.tsx'

export function LogSection(props: SectionProps) {
  return <Section {...props} after={<ClearLogs />} />
}
