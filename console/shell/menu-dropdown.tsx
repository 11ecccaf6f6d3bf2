import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { Check } from 'lucide-react'
import { type ReactElement, useEffect, useEffectEvent } from 'react'
import type { MenuEntry } from './menu-button.tsx'

interface MenuDropdownProps {
  opened: boolean
  onChange(opened: boolean): void
  onReady(): void
  entries: readonly MenuEntry[]
  children: ReactElement
}

export default function MenuDropdown({ opened, onChange, onReady, entries, children }: MenuDropdownProps) {
  const begin = useEffectEvent(onReady)
  useEffect(() => begin(), [])
  return (
    <Menu
      opened={opened}
      onChange={onChange}
      position="bottom-end"
      shadow="md"
      width={208}
      returnFocus
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ id, label, icon, checked, lang, act }) =>
          checked === undefined ? (
            <Menu.Item key={id} leftSection={icon} onClick={act}>
              {label}
            </Menu.Item>
          ) : (
            <Menu.RadioItem
              key={id}
              lang={lang}
              value={id}
              checked={checked}
              checkIcon={<Check size={16} aria-hidden />}
              rightSection={icon}
              closeMenuOnClick
              onChange={act}
            >
              {label}
            </Menu.RadioItem>
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
