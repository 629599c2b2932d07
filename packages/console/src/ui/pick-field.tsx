/** Some of many: what is chosen stands in the field and can be taken away; typing finds more. */
import { Combobox } from '@base-ui/react/combobox'
import { useRef } from 'react'
import { frame } from '../messages/frame.ts'
import { Field, type FieldProps, given, type Option } from './field.tsx'
import { Icon } from './icon.tsx'
import { useSay } from './preferences.tsx'

interface PickProps extends FieldProps {
  readonly value: readonly Option[]
  readonly onChange: (value: readonly Option[]) => void
  /** What there is for what was typed. */
  readonly options: readonly Option[]
  readonly typed: string
  readonly onType: (text: string) => void
  readonly placeholder?: string
}

const isSame = (one: Option, other: Option): boolean => one.value === other.value

export function PickField({
  label,
  hint,
  fault,
  optional,
  value,
  onChange,
  options,
  typed,
  onType,
  placeholder,
}: PickProps) {
  const say = useSay()
  const box = useRef<HTMLDivElement>(null)
  return (
    <Field label={label} {...given({ hint, fault, optional })}>
      {(control) => (
        <Combobox.Root
          multiple
          autoHighlight
          items={options}
          filter={null}
          value={[...value]}
          onValueChange={(chosen: readonly Option[]) => {
            onChange(chosen)
            onType('')
          }}
          inputValue={typed}
          onInputValueChange={onType}
          isItemEqualToValue={isSame}
        >
          <Combobox.Chips ref={box} className="input pick">
            {value.map((it) => (
              <Combobox.Chip className="chip" key={it.value} aria-label={it.label}>
                <span className="clip" dir="auto">
                  {it.label}
                </span>
                <Combobox.ChipRemove className="chip-remove" aria-label={`${say(frame.delete)}: ${it.label}`}>
                  <Icon name="close" size={12} />
                </Combobox.ChipRemove>
              </Combobox.Chip>
            ))}
            <Combobox.Input
              {...control}
              // Its label is hidden with the rest of the page while the list is open.
              aria-label={label}
              className="pick-input"
              placeholder={value.length === 0 ? placeholder : undefined}
              autoComplete="off"
              spellCheck={false}
            />
          </Combobox.Chips>
          <Combobox.Portal>
            <Combobox.Positioner className="pick-positioner" anchor={box} align="start" sideOffset={4}>
              <Combobox.Popup className="menu pick-menu">
                <Combobox.Empty className="muted">
                  <span className="menu-label">{say(frame.nothingFound)}</span>
                </Combobox.Empty>
                <Combobox.List aria-label={label}>
                  {(it: Option) => (
                    <Combobox.Item className="menu-item" key={it.value} value={it}>
                      <span className="clip" dir="auto">
                        {it.label}
                      </span>
                      <Combobox.ItemIndicator className="pick-mark">
                        <Icon name="check" size={16} />
                      </Combobox.ItemIndicator>
                    </Combobox.Item>
                  )}
                </Combobox.List>
              </Combobox.Popup>
            </Combobox.Positioner>
          </Combobox.Portal>
        </Combobox.Root>
      )}
    </Field>
  )
}
