import { Button, Textarea, type TextareaProps } from '@mantine/core'
import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { useText } from '../../text.ts'
import { isAddress, RichContent } from '../../ui/content/rich-content.tsx'
import { settingsText } from './catalogue.ts'
import styles from './settings.module.css'

/** Markdown or HTML, with a look at what will become of it. */
export function HtmlField({ value, name, ...props }: TextareaProps & { value: string; name: string }) {
  const t = useText(settingsText)
  const [previewing, setPreviewing] = useState(false)
  const Icon = previewing ? EyeOff : Eye
  return (
    <div>
      <Textarea {...props} value={value} name={name} spellCheck autosize minRows={3} maxRows={16} />
      <Button
        variant="subtle"
        size="xs"
        mt={4}
        leftSection={<Icon size={14} aria-hidden />}
        aria-expanded={previewing}
        disabled={value.trim() === ''}
        onClick={() => setPreviewing(!previewing)}
      >
        {previewing ? t('hidePreview') : t('preview')}
      </Button>
      {previewing && value.trim() !== '' && (
        <div className={styles.preview}>
          {isAddress(value) ? (
            // What may be framed is decided by what is saved; until then it is a link.
            <a href={value.trim()} target="_blank" rel="noopener noreferrer">
              {value.trim()}
            </a>
          ) : (
            <RichContent
              source={value}
              format={name === 'Footer' ? 'html' : 'markdown'}
              title={t('preview')}
            />
          )}
        </div>
      )}
    </div>
  )
}
