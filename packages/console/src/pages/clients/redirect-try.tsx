/** Tries a redirect_uri against the registered ones, as they stand in the form. */
import { useState } from 'react'
import { clients } from '../../messages/clients.ts'
import { TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { matchingRedirect } from './redirect-match.ts'

interface RedirectTryProps {
  readonly registered: readonly string[]
  readonly isNative: boolean
}

export function RedirectTry({ registered, isNative }: RedirectTryProps) {
  const say = useSay()
  const [asked, setAsked] = useState('')
  const found = asked === '' ? null : matchingRedirect(registered, asked, isNative)
  const answer =
    asked === ''
      ? say(clients.tryUriHint)
      : found === null
        ? say(clients.matchesNot)
        : say(clients.matches, { uri: found })
  return (
    <TextField
      label={say(clients.tryUri)}
      hint={<span aria-live="polite">{answer}</span>}
      value={asked}
      onChange={setAsked}
    />
  )
}
