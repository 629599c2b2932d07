/** Who is signed in, and what is theirs to choose: account, language, theme, the end of the session. */
import { frame } from '../../messages/frame.ts'
import { languages } from '../../messages/words.ts'
import { Menu, MenuChoices, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { themes, usePreferences, useSay } from '../../ui/preferences.tsx'
import { useConsole } from '../console-context.ts'

const themeNames = { system: frame.themeSystem, light: frame.themeLight, dark: frame.themeDark } as const
const languageNames = { en: 'English', de: 'Deutsch' } as const

const segmenter = new Intl.Segmenter()
const initialOf = (name: string): string =>
  [...segmenter.segment(name)]
    .slice(0, 1)
    .map(({ segment }) => segment.toUpperCase())
    .join('')

export function PersonMenu() {
  const { session, place } = useConsole()
  const { language, theme, setLanguage, setTheme } = usePreferences()
  const say = useSay()
  const { name } = session.person
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="person-button">
          <span className="avatar" aria-hidden="true">
            {initialOf(name)}
          </span>
          <span className="clip" dir="auto">
            {name}
          </span>
        </button>
      }
    >
      <MenuItem icon="person" onSelect={() => location.assign(`${place.issuer}/account`)}>
        {say(frame.account)}
      </MenuItem>
      <MenuSeparator />
      <MenuChoices
        label={say(frame.theme)}
        value={theme}
        onChange={setTheme}
        options={themes.map((value) => ({ value, label: say(themeNames[value]) }))}
      />
      <MenuChoices
        label={say(frame.language)}
        value={language}
        onChange={setLanguage}
        options={languages.map((value) => ({ value, label: languageNames[value] }))}
      />
      <MenuSeparator />
      <MenuItem icon="out" onSelect={session.signOut}>
        {say(frame.signOut)}
      </MenuItem>
    </Menu>
  )
}
