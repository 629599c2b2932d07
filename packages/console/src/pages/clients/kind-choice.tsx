/** What are you building? One of the kinds of clients, as cards. */
import { wizard } from '../../messages/clients.ts'
import { Icon } from '../../ui/icon.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { type KindName, kindNames, kinds } from './kinds.ts'

interface KindChoiceProps {
  readonly value: KindName
  readonly onChange: (kind: KindName) => void
}

export function KindChoice({ value, onChange }: KindChoiceProps) {
  const say = useSay()
  return (
    <div className="choices" role="radiogroup" aria-label={say(wizard.what)}>
      {kindNames.map((name) => (
        <label className="choice" key={name}>
          <input type="radio" name="kind" value={name} checked={value === name} onChange={() => onChange(name)} />
          <Icon name={kinds[name].icon} size={22} />
          <strong>{say(kinds[name].title)}</strong>
          <span>{say(kinds[name].text)}</span>
        </label>
      ))}
    </div>
  )
}
