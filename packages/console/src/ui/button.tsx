/** Buttons: ordinary, the one that matters most, and those that destroy. */
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export interface ButtonLook {
  readonly kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  readonly size?: 'normal' | 'small'
  readonly icon?: IconName
}

export const buttonClass = ({ kind = 'plain', size = 'normal' }: ButtonLook): string =>
  ['button', kind === 'plain' ? '' : `button-${kind}`, size === 'small' ? 'button-small' : '']
    .filter((it) => it !== '')
    .join(' ')

export interface ButtonProps extends ButtonLook, ButtonHTMLAttributes<HTMLButtonElement> {
  /** While it works it cannot be pressed again, and keeps its place and its words. */
  readonly busy?: boolean
  readonly children?: ReactNode
}

export function Button({ kind, size, icon, busy = false, children, className, ...rest }: ButtonProps) {
  const look = { ...(kind === undefined ? {} : { kind }), ...(size === undefined ? {} : { size }) }
  return (
    <button
      type="button"
      {...rest}
      className={[buttonClass(look), className ?? ''].join(' ').trim()}
      aria-disabled={busy || rest.disabled === true ? true : undefined}
      aria-busy={busy ? true : undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon === undefined ? null : <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </button>
  )
}

/** A drawing alone; its name is for who cannot see it. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<ButtonProps, 'children'> & { label: string; icon: IconName }) {
  return <Button {...rest} icon={icon} className="button-icon" aria-label={label} title={label} />
}
