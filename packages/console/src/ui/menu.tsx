/** A button that opens a list of things to do. */
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  readonly trigger: ReactElement
  readonly side?: 'top' | 'bottom'
  readonly children: ReactNode
}

export function Menu({ trigger, side = 'bottom', children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-positioner" side={side} align="end" sideOffset={6}>
          <Base.Popup className="menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface MenuItemProps {
  readonly icon?: IconName
  readonly danger?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}

export function MenuItem({ icon, danger = false, onSelect, children }: MenuItemProps) {
  return (
    <Base.Item className={danger ? 'menu-item menu-item-danger' : 'menu-item'} onClick={onSelect}>
      {icon === undefined ? null : <Icon name={icon} size={18} />}
      {children}
    </Base.Item>
  )
}

export const MenuSeparator = () => <Base.Separator className="menu-separator" />

interface MenuChoicesProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly onChange: (value: T) => void
  readonly options: readonly { readonly value: T; readonly label: string }[]
}

export function MenuChoices<T extends string>({ label, value, onChange, options }: MenuChoicesProps<T>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as T)}>
        {options.map((option) => (
          <Base.RadioItem className="menu-item" key={option.value} value={option.value}>
            {option.label}
            <Base.RadioItemIndicator style={{ marginInlineStart: 'auto' }}>
              <Icon name="check" size={16} />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
